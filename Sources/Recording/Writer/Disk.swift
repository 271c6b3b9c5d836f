import CLibrary

/// The calls that a full or failing disk answers with an error. Tests put faults in their place.
package struct Disk: Sendable {
  /// As `write(2)`: bytes written, or −1 with `errno`.
  package var write: @Sendable (Int32, UnsafeRawPointer, Int) -> Int = { CLibrary.write($0, $1, $2) }
  /// As `fdatasync(2)`.
  package var sync: @Sendable (Int32) -> Int32 = { fdatasync($0) }

  package init() {}
}
