// Two threads count without a lock: scripts/sanitize looks whether ThreadSanitizer says so.
import Glibc

nonisolated(unsafe) var count = 0
// Both live at once: ThreadSanitizer may take one that follows another for the same.
nonisolated(unsafe) var both = pthread_barrier_t()

func work(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  pthread_barrier_wait(&both)
  for _ in 0..<100_000 { count += 1 }
  return nil
}

pthread_barrier_init(&both, nil, 2)
var threads = [pthread_t](repeating: 0, count: 2)
for i in threads.indices { pthread_create(&threads[i], nil, work, nil) }
for thread in threads { pthread_join(thread, nil) }
print(count)
