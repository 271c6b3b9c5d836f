import Sensors
import Testing

struct BackoffTests {
  @Test func waitsDoubleUpToTheLimitAndStartAgainAfterSuccess() {
    var backoff = Backoff()
    backoff.first = 0.5
    backoff.limit = 3
    #expect((0..<5).map { _ in backoff.next() } == [0.5, 1, 2, 3, 3])
    backoff.reset()
    #expect(backoff.next() == 0.5)
  }
}
