import Foundation
import Measuring

/// What must hold on any machine, however noisy: `swift run -c release --package-path Benchmarks gates GATE`.
@main
struct Gates {
  static let usage = """
    usage: gates allocations                    none in a million updates
           gates digest                         a number made of every bit of the output
           gates instructions BASELINE          within 3 % of the file
           gates instructions BASELINE --write  writes the file
    """

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("allocations", 1): AllocationGate.run()
    case ("digest", 1): print(Digest().hexadecimal)
    case ("instructions", 2): InstructionGate(path: arguments[1]).check()
    case ("instructions", 3) where arguments[2] == "--write": InstructionGate(path: arguments[1]).write()
    case ("fixed-work", 1): print(FixedWork.run())
    default: stop(usage, status: 2)
    }
  }

  static func stop(_ message: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(status)
  }
}
