import CastProtocol
import CastTLS
import NIOCore

/// A client and a server engine with a wire of memory between them.
final class EnginePair {
  final class Side {
    let engine: TLSEngine
    var received = ByteBuffer()
    var peer: TLSPeer?
    var isPeerClosed = false
    var failure: TLSError?

    init(_ engine: TLSEngine) { self.engine = engine }

    func note(_ outcome: TLSEngine.Outcome) {
      if let peer = outcome.completed { self.peer = peer }
      if let plaintext = outcome.plaintext { received.writeImmutableBuffer(plaintext) }
      if outcome.peerClosed { isPeerClosed = true }
      if let failure = outcome.failure { self.failure = failure }
    }

    /// - Parameter pieceSize: bytes come in pieces of this many.
    func receive(_ bytes: ByteBuffer, pieceSize: Int) {
      var rest = bytes
      while rest.readableBytes > 0, let piece = rest.readSlice(length: min(pieceSize, rest.readableBytes)) {
        note(engine.receive(piece))
      }
    }
  }

  let client: Side
  let server: Side

  init(client: TLSContext, server: TLSContext) throws {
    self.client = Side(try TLSEngine(context: client, role: .client))
    self.server = Side(try TLSEngine(context: server, role: .server))
    self.client.note(self.client.engine.start())
    self.server.note(self.server.engine.start())
  }

  /// Carries bytes to and fro until both are silent.
  func exchange(pieceSize: Int = .max) {
    while true {
      let toServer = client.engine.takeOutput()
      if let toServer { server.receive(toServer, pieceSize: pieceSize) }
      let toClient = server.engine.takeOutput()
      if let toClient { client.receive(toClient, pieceSize: pieceSize) }
      if toServer == nil, toClient == nil { return }
    }
  }
}

extension ByteBuffer {
  var text: String { String(buffer: self) }

  /// Bytes that show any loss, doubling or exchange; `count` is a multiple of 8.
  static func pattern(count: Int, seed: UInt64 = 1) -> ByteBuffer {
    var generator = SeededGenerator(seed: seed)
    var bytes = ByteBuffer()
    bytes.reserveCapacity(count)
    for _ in 0..<(count / 8) { bytes.writeInteger(generator.next()) }
    return bytes
  }
}
