// The C mathematics that the core calls, for targets whose C library Swift has no module of.
// scripts/embedded imports this module implicitly into every file of the core; the symbols come from the
// target's libm at the link.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_extern(c, "sin") public func sin(_ x: Double) -> Double
@_extern(c, "sinf") public func sin(_ x: Float) -> Float
@_extern(c, "cos") public func cos(_ x: Double) -> Double
@_extern(c, "cosf") public func cos(_ x: Float) -> Float
@_extern(c, "tan") public func tan(_ x: Double) -> Double
@_extern(c, "asin") public func asin(_ x: Double) -> Double
@_extern(c, "atan2") public func atan2(_ y: Double, _ x: Double) -> Double
@_extern(c, "hypot") public func hypot(_ x: Double, _ y: Double) -> Double
@_extern(c, "exp") public func exp(_ x: Double) -> Double
@_extern(c, "log") public func log(_ x: Double) -> Double
@_extern(c, "pow") public func pow(_ x: Double, _ y: Double) -> Double
