import CastTLS
import NIOCore
import Testing

@Suite("TLSEngine") struct EngineTests {
  @Test(
    "both versions shake hands and carry bytes, however the network cuts them",
    arguments: [TLSVersion.v1_2, .v1_3], [1, 7, Int.max])
  func exchange(version: TLSVersion, pieceSize: Int) throws {
    let pair = try EnginePair(client: .client(), server: TestCredentials.server(version))
    #expect(pair.client.engine.state == .handshake)
    pair.exchange(pieceSize: pieceSize)
    #expect(pair.client.peer?.version == (version == .v1_2 ? "TLSv1.2" : "TLSv1.3"))
    #expect(pair.client.peer?.cipher == pair.server.peer?.cipher)
    #expect(pair.server.peer?.certificateDER == nil)

    try pair.client.engine.write(ByteBuffer(string: "GET_STATUS"))
    try pair.server.engine.write(ByteBuffer(string: "RECEIVER_STATUS"))
    pair.exchange(pieceSize: pieceSize)
    #expect(pair.server.received.text == "GET_STATUS")
    #expect(pair.client.received.text == "RECEIVER_STATUS")
    #expect(pair.client.failure == nil && pair.server.failure == nil)
  }

  @Test("a mebibyte arrives whole", arguments: [TLSVersion.v1_2, .v1_3], [1000, 16_384, Int.max])
  func volume(version: TLSVersion, pieceSize: Int) throws {
    let pair = try EnginePair(client: .client(), server: TestCredentials.server(version))
    pair.exchange()
    let sent = ByteBuffer.pattern(count: 1 << 20)
    try pair.client.engine.write(sent)
    pair.exchange(pieceSize: pieceSize)
    #expect(pair.server.received == sent)
  }

  @Test("what is written before the end of the handshake is sent after it, up to a limit")
  func earlyWrites() throws {
    let pair = try EnginePair(client: .client(), server: TestCredentials.server())
    let half = ByteBuffer.pattern(count: TLSEngine.earlyWriteLimit / 2)
    try pair.client.engine.write(half)
    try pair.client.engine.write(half)
    let error = TLSError.earlyWriteLimit(bytes: TLSEngine.earlyWriteLimit)
    #expect(throws: error) { try pair.client.engine.write(ByteBuffer(string: "x")) }
    pair.client.engine.closeNotify()
    #expect(throws: TLSError.closed) { try pair.client.engine.write(ByteBuffer(string: "x")) }
    pair.exchange()
    #expect(pair.server.received.readableBytes == TLSEngine.earlyWriteLimit)
    #expect(pair.server.isPeerClosed)
  }

  @Test("close_notify ends both sides, after the last bytes", arguments: [TLSVersion.v1_2, .v1_3])
  func farewell(version: TLSVersion) throws {
    let pair = try EnginePair(client: .client(), server: TestCredentials.server(version))
    pair.exchange()
    try pair.server.engine.write(ByteBuffer(string: "last"))
    pair.server.engine.closeNotify()
    #expect(pair.server.engine.isWriteClosed)
    pair.exchange()
    #expect(pair.client.received.text == "last")
    #expect(pair.client.isPeerClosed && pair.server.isPeerClosed)
    #expect(pair.client.engine.state == .closed && pair.server.engine.state == .closed)
    #expect(throws: TLSError.closed) { try pair.client.engine.write(ByteBuffer(string: "x")) }
    #expect(pair.client.failure == nil && pair.server.failure == nil)
  }

  @Test("one changed byte after the handshake is noticed", arguments: [TLSVersion.v1_2, .v1_3])
  func tampering(version: TLSVersion) throws {
    let pair = try EnginePair(client: .client(), server: TestCredentials.server(version))
    pair.exchange()
    try pair.server.engine.write(ByteBuffer(string: "PAUSE"))
    var record = try #require(pair.server.engine.takeOutput())
    let last = record.writerIndex - 1
    let byte = try #require(record.getInteger(at: last, as: UInt8.self))
    record.setInteger(byte ^ 1, at: last)
    pair.client.receive(record, pieceSize: .max)
    let words = pair.client.failure?.description
    #expect(words?.contains("decryption failed or bad record mac") == true)
    #expect(pair.client.received.readableBytes == 0)
    #expect(pair.client.engine.state == .closed)
    // The other side is told by an alert.
    pair.exchange()
    #expect(pair.server.failure?.description.contains("bad record mac") == true)
  }
}
