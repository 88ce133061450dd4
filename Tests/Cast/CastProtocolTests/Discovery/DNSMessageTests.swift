import CastProtocol
import Testing

@Suite("Packets of multicast DNS")
struct DNSMessageTests {
  @Test("the reference packets are written and read byte for byte")
  func reference() throws {
    #expect(try DNSMessage(decoding: DiscoveryPackets.answer) == DiscoveryPackets.answerMessage)
    #expect(try DiscoveryPackets.answerMessage.encoded().hex == DiscoveryPackets.answer.hex)
    #expect(try DNSMessage(decoding: DiscoveryPackets.question) == DiscoveryPackets.questionMessage)
    #expect(try DiscoveryPackets.questionMessage.encoded().hex == DiscoveryPackets.question.hex)
  }

  @Test("a message survives the way to bytes and back, compressed or not", arguments: [true, false])
  func roundTrip(isCompressing: Bool) throws {
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<500 {
      let message = generator.dnsMessage()
      let bytes = try message.encoded(compressing: isCompressing, limit: 9000)
      let read = try DNSMessage(decoding: bytes)
      #expect(read == message)
      #expect(
        read.answers.map(\.name.labels) == message.answers.map(\.name.labels), "capital letters are kept")
    }
  }

  @Test("damaged packets give a message or an error, and never more than their bytes can hold")
  func mutations() {
    var generator = SeededGenerator(seed: 1313)
    var readable = 0
    for round in 0..<5_000 {
      var bytes = round % 2 == 0 ? DiscoveryPackets.answer : DiscoveryPackets.question
      generator.mutate(&bytes)
      guard let message = try? DNSMessage(decoding: bytes) else { continue }
      readable += 1
      let records = message.answers + message.authorities + message.additionals
      #expect(records.count * 11 + message.questions.count * 5 <= bytes.count)
      #expect(records.allSatisfy { $0.name.labels.reduce(1) { $0 + $1.utf8.count + 1 } <= 255 })
    }
    #expect((1..<5_000).contains(readable))
  }

  /// A response of one answer that follows.
  static let header = "000084000000000100000000"
  /// Type A, class IN, 120 s, four bytes.
  static let address = "00010001000000780004c0a80114"
  static let manyQuestions = String(repeating: "0000010001", count: 513)
  static let longName = String(repeating: "3f\(String(repeating: "61", count: 63))", count: 4)

  @Test(
    "what no packet may be is refused, each with its own error",
    arguments: [
      ("nothing", "", .truncated(offset: 0)),
      ("half a header", "00008400", .truncated(offset: 4)),
      ("counts without bytes", "0000840000ff00ff00ff00ff", .countsExceedPacket(1020)),
      ("all counts at their highest", "00008400ffffffffffffffff 00000000", .countsExceedPacket(262_140)),
      ("more entries than anybody needs", "000084000201000000000000 \(manyQuestions)", .tooManyRecords(513)),
      ("a record cut in its data", "\(header) 016100 00010001000000780005c0a80114", .truncated(offset: 12)),
      ("a record cut in its name", "\(header) 0a61626364656667680000", .truncated(offset: 12)),
      ("five bytes of A", "\(header) 016100 00010001000000780005c0a8011400", .malformedData(.a, offset: 12)),
      ("no bytes of A", "\(header) 016100 00010001000000780000", .malformedData(.a, offset: 12)),
      ("four of AAAA", "\(header) 016100 001c0001000000780004c0a80114", .malformedData(.aaaa, offset: 12)),
      (
        "a string past its record", "\(header) 016100 001000010000007800020261",
        .malformedData(.txt, offset: 12)
      ),
      (
        "a string past the packet", "\(header) 016100 00100001000000780001ff",
        .malformedData(.txt, offset: 12)
      ),
      ("SRV, no target", "\(header) 016100 00210001000000780006000000001f49", .truncated(offset: 31)),
      ("a name too short", "\(header) 016100 000c0001000000780003000000", .malformedData(.ptr, offset: 12)),
      ("a name too long", "\(header) 016100 000c0001000000780001016100", .malformedData(.ptr, offset: 12)),
      ("a pointer to itself", "\(header) c00c \(address)", .pointerNotBackwards(offset: 12)),
      ("a pointer ahead", "\(header) c00e \(address)", .pointerNotBackwards(offset: 12)),
      ("a pointer into its own name", "\(header) 0161c00c \(address)", .pointerNotBackwards(offset: 12)),
      ("a pointer into the header", "\(header) c000 \(address)", .pointerNotBackwards(offset: 12)),
      ("a pointer past the end", "\(header) ffff \(address)", .pointerNotBackwards(offset: 12)),
      ("half a pointer", "\(header) 01610161016101610161c0", .truncated(offset: 12)),
      ("a label of type 01", "\(header) 416100 \(address)", .malformedLabel(offset: 12)),
      ("a label of type 10", "\(header) 816100 \(address)", .malformedLabel(offset: 12)),
      ("a label of no letters", "\(header) 01ff00 \(address)", .labelNotText(offset: 12)),
      ("a name of 256 bytes", "\(header) \(longName) 00 \(address)", .nameTooLong(offset: 12)),
      (
        "a loop of two pointers", "000084000000000200000000 0161c012 0162c00c \(address)",
        .pointerNotBackwards(offset: 12)
      ),
    ] as [(String, String, DNSError)])
  func refuses(rule: String, hex: String, expected: DNSError) {
    #expect(throws: expected, "\(rule)") { try DNSMessage(decoding: [UInt8](hex: hex)) }
    #expect(!expected.description.isEmpty)
  }

  @Test("a packet above 9000 bytes is not looked at")
  func oversized() throws {
    let bytes = DiscoveryPackets.question + Array(repeating: 0, count: 9000 - DiscoveryPackets.question.count)
    #expect(try DNSMessage(decoding: bytes) == DiscoveryPackets.questionMessage)
    #expect(throws: DNSError.tooLong(9001)) { try DNSMessage(decoding: bytes + [0]) }
  }

  @Test("a name is followed over 32 places and no further", arguments: [32, 33])
  func jumps(count: Int) throws {
    // One name in the data of the first record, then a chain of pointers, each to the one before.
    var content: [UInt8] = [1, 97, 0]
    var last: UInt8 = 23
    for _ in 1..<count {
      content += [0xC0, last]
      last = UInt8(23 + content.count - 2)
    }
    var bytes = [UInt8](hex: "000084000000000200000000 00 ffff000100000078 00")
    bytes.append(UInt8(content.count))
    bytes += content
    let start = bytes.count
    bytes += [0xC0, last] + [UInt8](hex: Self.address)
    if count <= DNSMessage.maximumJumpCount {
      #expect(try DNSMessage(decoding: bytes).answers.last?.name == "a")
    } else {
      #expect(throws: DNSError.tooManyJumps(offset: start)) { try DNSMessage(decoding: bytes) }
    }
  }

  @Test("entries of another class and bytes after the last entry are read over")
  func foreignEntries() throws {
    // A question and a record of class CHAOS, an OPT record, and an address.
    let chaos = "016100 00010003 016100 00010003000000780004c0a80114"
    let options = "00 002905a0000011940000"
    let hex = "000084000001000300000000 \(chaos) \(options) 016100 \(Self.address) ffff"
    let message = try DNSMessage(decoding: [UInt8](hex: hex))
    #expect(message.questions.isEmpty)
    #expect(message.answers == [DNSRecord(name: "a", data: .a([192, 168, 1, 20]), timeToLive: 120)])
  }

  @Test("a time to live with the top bit set is none")
  func negativeTime() throws {
    let hex = "\(Self.header) 016100 00010001800000000004c0a80114"
    #expect(try DNSMessage(decoding: [UInt8](hex: hex)).answers.first?.timeToLive == 0)
  }

  @Test(
    "what has no form in the DNS is not written",
    arguments: [
      ("an empty label", "a..b", .ptr("x"), .invalidName("a..b")),
      (
        "a label of 64 bytes", DNSName(labels: [String(repeating: "a", count: 64)]), .ptr("x"),
        .invalidName(DNSName(labels: [String(repeating: "a", count: 64)]))
      ),
      (
        "a name of 256 bytes", "x", .ptr(DNSName(labels: Array(repeating: "a", count: 128))),
        .invalidName(DNSName(labels: Array(repeating: "a", count: 128)))
      ),
      ("an address of three bytes", "x", .a([1, 2, 3]), .invalidValue(.a)),
      ("IPv6 of four bytes", "x", .aaaa([1, 2, 3, 4]), .invalidValue(.aaaa)),
      ("a string of 256 bytes", "x", .txt([Array(repeating: 7, count: 256)]), .invalidValue(.txt)),
      ("data of 70 000 bytes", "x", .other(.any, Array(repeating: 7, count: 70_000)), .invalidValue(.any)),
      ("more than a packet", "x", .other(.any, Array(repeating: 7, count: 1_500)), .packetFull(1440)),
    ] as [(String, DNSName, DNSRecordData, DNSError)])
  func unwritable(rule: String, name: DNSName, data: DNSRecordData, expected: DNSError) {
    let message = DNSMessage.response([DNSRecord(name: name, data: data, timeToLive: 1)])
    #expect(throws: expected, "\(rule)") { try message.encoded() }
    #expect(!expected.description.isEmpty)
  }

  @Test("names are the same whatever the case of their ASCII letters, and only then")
  func names() {
    #expect(DNSName("_GoogleCast._TCP.Local.") == "_googlecast._tcp.local")
    #expect(Set<DNSName>(["a.B", "A.b", "ab"]).count == 2)
    #expect(DNSName("ä") != "Ä")
    #expect(DNSName(#"Living\.Room._tcp"#).labels == ["Living.Room", "_tcp"])
    #expect(DNSName(labels: [#"a.\b"#, "c"]).description == #"a\.\\b.c"#)
    #expect(DNSName(DNSName(labels: [#"a.\b"#, "c"]).description).labels == [#"a.\b"#, "c"])
  }
}
