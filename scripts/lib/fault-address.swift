// Reads what is freed: scripts/sanitize looks whether AddressSanitizer says so.
let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
pointer.initialize(to: 1)
pointer.deallocate()
print(pointer.pointee)
