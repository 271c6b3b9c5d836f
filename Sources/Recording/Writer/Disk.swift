#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calls that a full or failing disk answers with an error. Tests put faults in their place.
package struct Disk: Sendable {
  /// As `write(2)`: bytes written, or −1 with `errno`.
  package var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int = { systemWrite($0, $1, $2) }
  /// As `fdatasync(2)`.
  package var sync: @Sendable (Int32) -> Int32 = { systemSync($0) }

  package init() {}

  private static let systemWrite: @Sendable (Int32, UnsafeRawPointer, Int) -> Int = {
    #if canImport(Glibc)
      Glibc.write($0, $1, $2)
    #elseif canImport(Musl)
      Musl.write($0, $1, $2)
    #else
      Darwin.write($0, $1, $2)
    #endif
  }
  private static let systemSync: @Sendable (Int32) -> Int32 = { descriptor in
    #if canImport(Darwin)
      fsync(descriptor)
    #else
      fdatasync(descriptor)
    #endif
  }
}
