import Foundation
import Live
import Navigation
import SensorEvents
import Testing

struct MailboxTests {
  private func event(_ source: UInt8, _ number: Int) -> SensorEvent {
    SensorEvent(
      source: SourceID(source), arrival: Timestamp(nanoseconds: Int64(number)),
      content: .temperature(celsius: Double(number)))
  }

  private func drain(_ mailbox: Mailbox) -> [SensorEvent] {
    var batch: [SensorEvent] = []
    _ = mailbox.drain(into: &batch, waiting: 0)
    return batch
  }

  @Test func eventsComeInOrder() {
    let mailbox = Mailbox(capacity: 256)
    for round in 0..<10 {
      for i in 0..<50 { #expect(mailbox.post(event(1, round * 50 + i))) }
      #expect(drain(mailbox) == (0..<50).map { event(1, round * 50 + $0) })
    }
    #expect(drain(mailbox).isEmpty)
  }

  @Test func overflowIsCountedAndSaidInItsPlace() {
    let mailbox = Mailbox(capacity: 256)
    var taken = 0
    for i in 0..<200 where mailbox.post(event(1, i)) { taken += 1 }
    #expect(taken == 96, "half of what is not kept for states")
    #expect(mailbox.overflow(of: SourceID(1)) == 104)
    // The other source has its own share.
    #expect(mailbox.post(event(2, 0)))
    #expect(drain(mailbox).count == 97)
    #expect(mailbox.post(event(1, 200)))
    let after = drain(mailbox)
    #expect(after.count == 2)
    #expect(after.first?.content == .lost(count: 104))
    #expect(after.last == event(1, 200))
    #expect(mailbox.post(event(1, 201)))
    #expect(drain(mailbox) == [event(1, 201)], "it is said once")
  }

  @Test func statesFitBesideAFloodOfSamples() {
    let mailbox = Mailbox(capacity: 256)
    for source in UInt8(1)...3 { for i in 0..<200 { mailbox.post(event(source, i)) } }
    let status = SensorEvent(
      source: SourceID(1), arrival: Timestamp(nanoseconds: 5), content: .status(SourceStatus(.lost)))
    #expect(mailbox.post(status))
    #expect(drain(mailbox).last == status)
  }

  @Test func waitingIsBounded() {
    let mailbox = Mailbox(capacity: 256)
    var batch: [SensorEvent] = []
    let before = LoopClock.system.now()
    #expect(mailbox.drain(into: &batch, waiting: 0.05))
    let waited = LoopClock.system.now().seconds(since: before)
    #expect(waited > 0.04 && batch.isEmpty)
    mailbox.close()
    #expect(!mailbox.drain(into: &batch, waiting: 3600))
    #expect(!mailbox.post(event(1, 1)))
  }

  @Test func nothingIsLostOrDoubledBetweenManyProducersAndOneConsumer() {
    let mailbox = Mailbox(capacity: 512)
    let each = 20_000
    for source in UInt8(0)..<4 {
      Thread.detachNewThread {
        for i in 1...each { mailbox.post(self.event(source, i)) }
      }
    }
    var next = [Int](repeating: 1, count: 4)
    var batch: [SensorEvent] = []
    let end = LoopClock.system.now().advanced(bySeconds: 20)
    // The last may be lost with nothing to follow: the mailbox then knows their number.
    func isMissing() -> Bool {
      (0..<4).contains { i in
        next[i] + (next[i] <= each ? mailbox.overflow(of: SourceID(UInt8(i))) : 0) <= each
      }
    }
    while isMissing(), LoopClock.system.now() < end {
      batch.removeAll(keepingCapacity: true)
      _ = mailbox.drain(into: &batch, waiting: 0.01)
      for event in batch {
        let i = Int(event.source.rawValue)
        switch event.content {
        case .lost(let count): next[i] += count
        case .temperature(let number):
          #expect(number == Double(next[i]))
          next[i] += 1
        default: break
        }
      }
    }
    #expect(LoopClock.system.now() < end)
  }
}
