import LocationService
import NIOCore
import Navigation
import Testing

/// Bytes to and from a broker, as MQTT 3.1.1 has them.
@Suite struct MQTTCodecTests {
  private func bytes(_ packet: MQTTPacket) -> [UInt8] {
    var buffer = ByteBuffer()
    packet.write(to: &buffer)
    return Array(buffer.readableBytesView)
  }

  private func text(_ value: String) -> [UInt8] { [0, UInt8(value.utf8.count)] + Array(value.utf8) }

  @Test func connectSaysWhoComesAndWhatIsSaidOnceItIsGone() {
    var connect = MQTTPacket.Connect()
    connect.keepAlive = 0x1234
    let head = text("MQTT") + [4]
    #expect(bytes(.connect(connect)) == [0x10, 12] + head + [0x02, 0x12, 0x34] + text(""))
    connect.clientID = "car"
    (connect.user, connect.password) = ("u", "pass")
    connect.will = .init(topic: "t", payload: "gone", isRetained: true)
    let body = head + [0xE6, 0x12, 0x34] + text("car") + text("t") + text("gone") + text("u") + text("pass")
    #expect(bytes(.connect(connect)) == [0x10, UInt8(body.count)] + body)
    // A password without a user there is not (3.1.2.9).
    connect.user = nil
    connect.will = nil
    #expect(bytes(.connect(connect)) == [0x10, 15] + head + [0x02, 0x12, 0x34] + text("car"))
  }

  @Test func publishHasAnIdentifierByQualityOneOnly() {
    let message = MQTTPacket.Message(topic: "a/b", payload: "hi")
    #expect(bytes(.publish(message, identifier: nil)) == [0x30, 7] + text("a/b") + Array("hi".utf8))
    #expect(
      bytes(.publish(message, identifier: 0xABCD)) == [0x32, 9] + text("a/b") + [0xAB, 0xCD]
        + Array("hi".utf8))
    let kept = MQTTPacket.Message(topic: "a/b", payload: "hi", isRetained: true)
    #expect(bytes(.publish(kept, identifier: nil)).first == 0x31)
    #expect(bytes(.pingRequest) == [0xC0, 0])
  }

  /// The table of 2.2.3: seven bits a byte, and the shortest form.
  @Test(arguments: [
    (127, [0x7F] as [UInt8]), (128, [0x80, 0x01]), (16_383, [0xFF, 0x7F]), (16_384, [0x80, 0x80, 0x01]),
    (2_097_151, [0xFF, 0xFF, 0x7F]), (2_097_152, [0x80, 0x80, 0x80, 0x01]),
  ]) func lengthsTakeOneToFourBytes(length: Int, expected: [UInt8]) {
    let message = MQTTPacket.Message(topic: "t", payload: String(repeating: "x", count: length - 3))
    let written = bytes(.publish(message, identifier: nil))
    #expect(Array(written[1...expected.count]) == expected && written.count == 1 + expected.count + length)
  }

  private func reply(_ bytes: [UInt8]) throws -> MQTTReply? {
    var buffer = ByteBuffer(bytes: bytes)
    return try MQTTReply(reading: &buffer)
  }

  @Test func repliesAreReadOnceTheyAreWhole() throws {
    for (bytes, expected) in [
      ([0x20, 2, 0, 0], .connected(code: 0)), ([0x20, 2, 0, 5], .connected(code: 5)),
      ([0x40, 2, 0x12, 0x34], .acknowledged(0x1234)), ([0xD0, 0], .pingResponse),
    ] as [([UInt8], MQTTReply)] {
      for count in 0..<bytes.count { #expect(try reply(Array(bytes[..<count])) == nil) }
      #expect(try reply(bytes) == expected)
      var buffer = ByteBuffer(bytes: bytes + bytes)
      let both = [try MQTTReply(reading: &buffer), try MQTTReply(reading: &buffer)]
      #expect(both == [expected, expected] && buffer.readableBytes == 0)
    }
  }

  /// Other packets, other versions, HTTP, lengths that never end: known by the second byte at the latest.
  @Test(
    arguments: [
      [0x30, 3], [0x30], [0x20, 3], [0x20, 0xFF], [0x20, 0x82, 0], [0x40, 0xFF, 0xFF, 0xFF, 0xFF], [0x41],
      [0xD0, 1],
      [0x00], [0xFF], Array("HTTP/1.1 400".utf8), [0x20, 2, 1, 0], [0x20, 2, 9, 0],
    ] as [[UInt8]]) func whatNoBrokerSaysIsFoundOutAtOnce(bytes: [UInt8])
  {
    #expect(throws: MQTTFault.notExpected(bytes[0])) { try reply(bytes) }
  }
}

/// What waits for a broker, and how long it is waited for.
@Suite struct MQTTQueueTests {
  private func position(_ number: Int) -> MQTTQueue.Position {
    ["a", "b"].map { .init(topic: $0, payload: "\(number)") }
  }

  private func identifiers(_ packets: [MQTTPacket]) -> [UInt16] {
    packets.compactMap { if case .publish(_, let number) = $0 { number } else { nil } }
  }

  private func payload(_ packets: [MQTTPacket]?) -> String? {
    guard case .publish(let message, _) = packets?.first else { return nil }
    return message.payload
  }

  @Test func withoutAcknowledgementOnlyTheNewestWaits() {
    var queue = MQTTQueue(isAcknowledged: false)
    for number in 0..<10 { queue.append(position(number)) }
    #expect(queue.count == 1 && queue.dropped == 9)
    let packets = queue.next(at: time(0))
    #expect(payload(packets) == "9" && identifiers(packets ?? []).isEmpty && queue.published == 1)
    let none = queue.next(at: time(0))
    #expect(none == nil)
  }

  @Test func withAcknowledgementFourAreOnTheirWayAndThirtyTwoWait() {
    var queue = MQTTQueue(isAcknowledged: true)
    for number in 0..<100 { queue.append(position(number)) }
    #expect(queue.count == 32 && queue.dropped == 68)
    var sent: [[MQTTPacket]] = []
    while let packets = queue.next(at: time(0)) { sent.append(packets) }
    #expect(sent.count == 4 && payload(sent[0]) == "68" && queue.waitsSince == time(0))
    let numbers = sent.flatMap(identifiers)
    #expect(Set(numbers).count == 8 && !numbers.contains(0))
    let first = (queue.acknowledge(numbers[0]), queue.next(at: time(0)), queue.published)
    #expect(first.0 && first.1 == nil && first.2 == 0)
    let unknown = [queue.acknowledge(numbers[0]), queue.acknowledge(999)]
    #expect(unknown == [false, false])
    let second = (queue.acknowledge(numbers[1]), queue.published, queue.next(at: time(0)))
    #expect(second.0 && second.1 == 1 && payload(second.2) == "72")
  }

  @Test func whatWasNotAcknowledgedIsSentAgainInOrder() {
    var queue = MQTTQueue(isAcknowledged: true)
    for number in 0..<3 { queue.append(position(number)) }
    _ = queue.next(at: time(0))
    _ = queue.next(at: time(0))
    queue.disconnect()
    #expect(queue.count == 3 && queue.waitsSince == nil)
    let again = (0..<3).map { _ in queue.next(at: time(0)) }
    #expect(again.map(payload) == ["0", "1", "2"])
    // What the broker has when it is forgotten is acknowledged all the same, and never sent again.
    queue.append(position(3))
    queue.forget()
    #expect(queue.count == 0 && queue.waitsSince == time(0))
    let late = (queue.acknowledge(identifiers(again[0] ?? [])[0]), queue.waitsSince)
    #expect(late.0 && late.1 == time(0))
    queue.disconnect()
    #expect(queue.count == 0 && queue.waitsSince == nil && queue.published == 0 && queue.dropped == 0)
  }

  /// One packet that is lost among others that are acknowledged.
  @Test func theOldestThatIsNotAcknowledgedIsWaitedFor() {
    var queue = MQTTQueue(isAcknowledged: true)
    var lost: Timestamp?
    for second in 0..<30 {
      queue.append(position(second))
      for number in identifiers(queue.next(at: time(Double(second))) ?? [])
      where second != 3 || number % 2 == 0 {
        _ = queue.acknowledge(number)
      }
      lost = queue.waitsSince
    }
    #expect(lost == time(3) && queue.published == 29)
  }

  @Test func identifiersGoRoundWithoutZero() {
    var queue = MQTTQueue(isAcknowledged: true)
    for _ in 0..<40_000 {
      queue.append(position(0))
      let packets = queue.next(at: time(0)) ?? []
      let numbers = identifiers(packets)
      #expect(numbers.count == 2 && !numbers.contains(0))
      for number in numbers {
        let isKnown = queue.acknowledge(number)
        #expect(isKnown)
      }
    }
    #expect(queue.published == 40_000)
  }

  private func time(_ seconds: Double) -> Timestamp { Timestamp(seconds: 1000 + seconds) }

  /// What `change` throws, on a session that goes on.
  private func fault(_ session: inout MQTTSession, _ change: (inout MQTTSession) throws(MQTTFault) -> Void)
    -> MQTTFault?
  {
    do throws(MQTTFault) {
      try change(&session)
      return nil
    } catch { return error }
  }

  /// Whether it is asked; nil where it is given up.
  private func asks(_ session: inout MQTTSession, waitsSince: Timestamp? = nil, at seconds: Double) -> Bool? {
    try? session.check(waitsSince: waitsSince, at: time(seconds))
  }

  private func receive(_ session: inout MQTTSession, _ reply: MQTTReply, at seconds: Double) -> MQTTFault? {
    fault(&session) { session throws(MQTTFault) in try session.receive(reply, at: time(seconds)) }
  }

  @Test func aBrokerIsAskedWhetherItLivesAndGivenUpAfterTenSeconds() {
    var session = MQTTSession(keepAlive: 30, at: time(0))
    var answers = [asks(&session, at: 9), asks(&session, at: 10.1)]
    #expect(answers == [false, nil])
    var faults = [
      receive(&session, .pingResponse, at: 1), receive(&session, .connected(code: 5), at: 1),
      receive(&session, .connected(code: 0), at: 1), receive(&session, .connected(code: 0), at: 1),
    ]
    #expect(faults == [.notExpected(0xD0), .refused(code: 5), nil, .notExpected(0x20)] && session.isOpen)
    answers = [asks(&session, at: 15), asks(&session, at: 16.1), asks(&session, at: 20)]
    #expect(answers == [false, true, false])
    faults = [receive(&session, .pingResponse, at: 20), receive(&session, .pingResponse, at: 20)]
    #expect(faults == [nil, .notExpected(0xD0)])
    answers = [asks(&session, waitsSince: time(21), at: 21)]
    faults = [receive(&session, .acknowledged(1), at: 30)]
    answers += [asks(&session, waitsSince: time(31), at: 31), asks(&session, waitsSince: time(31), at: 41.2)]
    #expect(answers == [false, false, nil] && faults == [nil])
  }

  @Test func triesComeSlowerUntilAConnectionWasGood() {
    var backoff = MQTTBackoff()
    let delays = (0..<8).map { _ in backoff.delay(after: 0, share: 1) }
    #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60])
    let later = (backoff.delay(after: 29, share: 0), backoff.delay(after: 31, share: 1))
    #expect(later == (45, 1))
  }
}
