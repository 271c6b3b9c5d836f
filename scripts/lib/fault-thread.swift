// Two threads count without a lock: scripts/sanitize looks whether ThreadSanitizer says so.
import Glibc

nonisolated(unsafe) var count = 0

func work(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  for _ in 0..<100_000 { count += 1 }
  return nil
}

var threads = [pthread_t](repeating: 0, count: 2)
for i in threads.indices { pthread_create(&threads[i], nil, work, nil) }
for thread in threads { pthread_join(thread, nil) }
print(count)
