import CastProtocol
import Testing

@Suite("Frames")
struct FrameCodecTests {
  static let ping = CastMessage(
    source: "sender-0", destination: "receiver-0", namespace: .heartbeat, json: ["type": "PING"])

  /// A message whose body has exactly this many bytes.
  static func message(bodyLength: Int) -> CastMessage {
    var message = CastMessage(source: "s", destination: "d", namespace: "n", payload: .string(""))
    for count in max(0, bodyLength - 20)...bodyLength {
      message.payload = .string(String(repeating: "x", count: count))
      if FrameCodec.bodyLength(of: message) == bodyLength { break }
    }
    return message
  }

  @Test("a body of exactly the limit passes both ways, one byte more is refused")
  func limit() throws {
    let largest = Self.message(bodyLength: FrameCodec.maximumBodyLength)
    let frame = try FrameCodec.encode(largest)
    #expect(frame.count == 65_540)
    var decoder = FrameDecoder()
    #expect(try decoder.append(frame) == [largest])

    let tooLarge = Self.message(bodyLength: FrameCodec.maximumBodyLength + 1)
    #expect(throws: FrameError.bodyTooLong(65_537)) { try FrameCodec.encode(tooLarge) }
  }

  @Test("an empty id or namespace is not sent", arguments: CastMessageField.allCases)
  func emptyField(field: CastMessageField) {
    let message = CastMessage(
      source: field == .source ? "" : "s", destination: field == .destination ? "" : "d",
      namespace: field == .namespace ? "" : "n", payload: .string("x"))
    #expect(throws: FrameError.message(.missing(field))) { try FrameCodec.encode(message) }
  }

  @Test(
    "a stream gives the same messages however it is cut", arguments: [1, 2, 3, 5, 64, 1_000, 65_536, .max])
  func chunks(size: Int) throws {
    var generator = SeededGenerator(seed: 2)
    var messages = (0..<40).map { _ in generator.message() }
    messages.insert(Self.message(bodyLength: FrameCodec.maximumBodyLength), at: 20)
    let stream = try messages.flatMap { try FrameCodec.encode($0) }
    var decoder = FrameDecoder()
    var read: [CastMessage] = []
    var start = 0
    while start < stream.count {
      let end = start + min(size, stream.count - start)
      read += try decoder.append(stream[start..<end])
      #expect(decoder.bufferedByteCount <= 65_540)
      start = end
    }
    #expect(read == messages)
    #expect(decoder.bufferedByteCount == 0)
  }

  @Test("bytes that do not lie in one piece are read too")
  func discontiguous() throws {
    var decoder = FrameDecoder()
    #expect(try decoder.append(FrameCodec.encode(Self.ping).lazy.map { $0 }) == [Self.ping])
  }

  @Test(
    "a bad length is refused with its last byte, before anything is kept for it",
    arguments: [
      ("00010001", .bodyTooLong(65_537)), ("ffffffff", .bodyTooLong(4_294_967_295)),
      ("80000000", .bodyTooLong(2_147_483_648)), ("00000000", .emptyBody),
      ("16030301", .bodyTooLong(369_296_129)), ("48545450", .bodyTooLong(1_213_486_160)),
    ] as [(String, FrameError)])
  func badLength(hex: String, expected: FrameError) throws {
    var decoder = FrameDecoder()
    #expect(try decoder.append([UInt8](hex: String(hex.dropLast(2)))) == [])
    #expect(throws: expected) { try decoder.append([UInt8](hex: String(hex.suffix(2)))) }
    #expect(decoder.bufferedByteCount == 0)
    #expect(!expected.description.isEmpty)
  }

  @Test("after an error the decoder stays failed, also for frames that are whole")
  func staysFailed() throws {
    var decoder = FrameDecoder()
    let frame = try FrameCodec.encode(Self.ping)
    #expect(try decoder.append(frame) == [Self.ping])
    #expect(throws: FrameError.message(.truncated(offset: 0))) {
      try decoder.append(frame + [0, 0, 0, 2, 0xFF, 0xFF] + frame)
    }
    #expect(throws: FrameError.message(.truncated(offset: 0))) { try decoder.append(frame) }
    #expect(throws: FrameError.message(.truncated(offset: 0))) { try decoder.append([]) }
  }

  @Test("damaged frames end in messages or an error, never in a trap or a growing buffer")
  func mutations() throws {
    var generator = SeededGenerator(seed: 3)
    var errors = 0
    for _ in 0..<4_000 {
      var bytes = try FrameCodec.encode(generator.message())
      generator.mutate(&bytes)
      var decoder = FrameDecoder()
      do {
        var start = 0
        while start < bytes.count {
          let end = start + Int.random(in: 1...max(1, bytes.count - start), using: &generator)
          _ = try decoder.append(bytes[start..<end])
          #expect(decoder.bufferedByteCount <= 65_540)
          start = end
        }
      } catch {
        errors += 1
        #expect(decoder.bufferedByteCount == 0)
      }
    }
    #expect((500..<4_000).contains(errors))
  }
}
