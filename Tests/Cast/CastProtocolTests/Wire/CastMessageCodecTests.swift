import CastProtocol
import Testing

@Suite("CastMessage and its protobuf form")
struct CastMessageCodecTests {
  /// Frames of protocol 1.3, byte for byte.
  static let vectors: [(message: CastMessage, frame: String)] = [
    (
      CastMessage(
        source: "sender-0", destination: "receiver-0", namespace: .heartbeat, json: ["type": "PING"]),
      "000000540800120873656e6465722d301a0a72656365697665722d30222775726e3a782d636173743a636f6d2e676f6f676c652e"
        + "636173742e74702e6865617274626561742800320f7b2274797065223a2250494e47227d"
    ),
    (
      CastMessage(
        source: "sender-0", destination: "receiver-0", namespace: .connection, json: ["type": "CONNECT"]),
      "000000580800120873656e6465722d301a0a72656365697665722d30222875726e3a782d636173743a636f6d2e676f6f676c652e"
        + "636173742e74702e636f6e6e656374696f6e280032127b2274797065223a22434f4e4e454354227d"
    ),
    (
      CastMessage(
        source: "sender-0", destination: "receiver-0", namespace: .deviceAuth,
        payload: .binary([0x0A, 0x14, 0x12, 0x10] + Array(0..<16) + [0x18, 0x01])),
      "0000005c0800120873656e6465722d301a0a72656365697665722d30222875726e3a782d636173743a636f6d2e676f6f676c652e"
        + "636173742e74702e6465766963656175746828013a160a141210000102030405060708090a0b0c0d0e0f1801"
    ),
  ]

  @Test("the reference frames are written and read byte for byte", arguments: vectors.indices)
  func referenceFrames(index: Int) throws {
    let (message, frame) = Self.vectors[index]
    #expect(try FrameCodec.encode(message).hex == frame)
    #expect(try CastMessageCodec.decode(Array([UInt8](hex: frame).dropFirst(4))) == message)
  }

  /// Source `s`, destination `d`, namespace `n`; what follows varies.
  static let ids = "120173" + "1a0164" + "22016e"

  @Test(
    "what a liberal reader accepts",
    arguments: [
      ("payload of the declared type", "0800" + ids + "2800" + "320178", .string("x")),
      ("binary payload", "0800" + ids + "2801" + "3a02ff00", .binary([0xFF, 0])),
      ("declared STRING in the binary field", "0800" + ids + "2800" + "3a0178", .string("x")),
      ("declared BINARY in the text field", "0800" + ids + "2801" + "320178", .binary([0x78])),
      ("both fields: the declared one counts", "0800" + ids + "2800" + "320178" + "3a0179", .string("x")),
      ("no version and no type, text", ids + "320178", .string("x")),
      ("no version and no type, binary", ids + "3a0178", .binary([0x78])),
      ("empty payload", "0800" + ids + "2800" + "3200", .string("")),
      ("later version", "0803" + ids + "2800" + "320178", .string("x")),
      ("any order", "320178" + "2800" + ids + "0800", .string("x")),
      ("the last of equal fields", "0800" + ids + "2800" + "320161" + "320178", .string("x")),
      ("not a chunk, said aloud", "0800" + ids + "2800" + "320178" + "40004800", .string("x")),
      (
        "broken UTF-8 in the payload is repaired", "0800" + ids + "2800" + "3203" + "61ff62",
        .string("a\u{FFFD}b")
      ),
      ("unknown number", "0800" + ids + "2800" + "320178" + "50ffffffffffffffffff01", .string("x")),
      ("unknown bytes", "0800" + ids + "2800" + "320178" + "7a03010203", .string("x")),
      ("unknown 64 bits", "0800" + ids + "2800" + "320178" + "510102030405060708", .string("x")),
      ("unknown 32 bits", "0800" + ids + "2800" + "320178" + "5501020304", .string("x")),
      ("highest field number", "0800" + ids + "2800" + "320178" + "f8ffffff0f00", .string("x")),
      ("known field with a foreign wire type", "0800" + ids + "2800" + "320178" + "3001", .string("x")),
      ("tag and length longer than needed", "888000" + "00" + ids + "2800" + "32818000" + "78", .string("x")),
    ] as [(String, String, CastMessage.Payload)])
  func accepts(rule: String, hex: String, payload: CastMessage.Payload) throws {
    let message = try CastMessageCodec.decode([UInt8](hex: hex))
    #expect(
      message == CastMessage(source: "s", destination: "d", namespace: "n", payload: payload), "\(rule)")
  }

  @Test(
    "what no reader may accept",
    arguments: [
      ("nothing", "", .missing(.source)),
      ("no source", "0800" + "1a0164" + "22016e" + "2800" + "320178", .missing(.source)),
      ("empty source", "0800" + "1200" + "1a0164" + "22016e" + "2800" + "320178", .missing(.source)),
      ("no destination", "0800" + "120173" + "22016e" + "2800" + "320178", .missing(.destination)),
      ("no namespace", "0800" + "120173" + "1a0164" + "2800" + "320178", .missing(.namespace)),
      ("no payload", "0800" + ids + "2800", .missingPayload),
      ("third payload type", "0800" + ids + "2802" + "320178", .unknownPayloadType(2)),
      ("huge payload type", "0800" + ids + "28ffffffffffffffffff01" + "320178", .unknownPayloadType(.max)),
      (
        "source not UTF-8", "0800" + "1201ff" + "1a0164" + "22016e" + "2800" + "320178", .invalidText(.source)
      ),
      (
        "namespace cut inside a letter", "0800120173" + "1a0164" + "2201c3" + "320178",
        .invalidText(.namespace)
      ),
      ("first chunk", "0800" + ids + "2800" + "320178" + "4001", .chunked),
      ("chunk with a rest", "0800" + ids + "2800" + "320178" + "4805", .chunked),
      ("length past the end", "0800" + ids + "2800" + "320278", .truncated(offset: 13)),
      ("length of 2⁶⁴ − 1", "0800" + ids + "2800" + "32ffffffffffffffffff01" + "78", .truncated(offset: 13)),
      ("length of 2⁶³", "0800" + ids + "2800" + "3280808080808080808001" + "78", .truncated(offset: 13)),
      ("ends in a tag", "0800" + ids + "2800" + "f8", .truncated(offset: 13)),
      ("ends in a number", "0800" + ids + "2880", .truncated(offset: 12)),
      ("ends before 64 bits", "0800" + "5101020304050607", .truncated(offset: 2)),
      ("ends before 32 bits", "0800" + "55010203", .truncated(offset: 2)),
      ("eleven bytes of number", "08ffffffffffffffffffff01", .malformedVarint(offset: 1)),
      ("65 bits of number", "08ffffffffffffffffff02", .malformedVarint(offset: 1)),
      ("field 0", "0001", .malformedTag(offset: 0)),
      ("field above the limit", "f8ffffff1f00", .malformedTag(offset: 0)),
      ("start of a group", "080053", .malformedTag(offset: 2)),
      ("end of a group", "080054", .malformedTag(offset: 2)),
      ("wire type 6", "080056", .malformedTag(offset: 2)),
      ("wire type 7", "080057", .malformedTag(offset: 2)),
    ] as [(String, String, CastMessageError)])
  func refuses(rule: String, hex: String, expected: CastMessageError) {
    #expect(throws: expected, "\(rule)") { try CastMessageCodec.decode([UInt8](hex: hex)) }
    #expect(!expected.description.isEmpty)
  }

  @Test("a message survives the way to bytes and back, and its length is known beforehand")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let message = generator.message()
      let bytes = try CastMessageCodec.encode(message)
      #expect(try CastMessageCodec.decode(bytes) == message)
      #expect(bytes.count == CastMessageCodec.encodedLength(of: message))
    }
  }

  @Test(
    "the length is exact where the number of its bytes changes",
    arguments: [0, 1, 127, 128, 16_383, 16_384, 65_000])
  func lengths(count: Int) throws {
    let message = CastMessage(
      source: "s", destination: "d", namespace: "n", payload: .binary(Array(repeating: 7, count: count)))
    #expect(try CastMessageCodec.encode(message).count == CastMessageCodec.encodedLength(of: message))
  }
}
