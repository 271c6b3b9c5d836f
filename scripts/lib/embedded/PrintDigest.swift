/// Prints the digest of a drive (Benchmarks/Sources/gates/Digest.swift) by nothing but `putchar`.
@main
enum PrintDigest {
  static func main() {
    for digit in Digest().hexadecimal.utf8 { _ = write(Int32(digit)) }
    _ = write(10)
  }
}

@_extern(c, "putchar") func write(_ character: Int32) -> Int32
