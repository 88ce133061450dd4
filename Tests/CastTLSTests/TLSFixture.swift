import NIOCore
import NIOPosix
import Testing

@testable import CastTLS

/// One identity for all tests: making a key takes a tenth of a second.
enum TestIdentity {
  static let valid = Result { () throws(TLSError) in
    try TLSIdentity.selfSigned(commonName: "test", notBefore: 0, notAfter: 4_000_000_000)
  }
}

/// A client and a server without a socket between them.
struct EnginePair {
  let client: TLSEngine
  let server: TLSEngine
  var clientOutcomes: [TLSEngine.Outcome] = []
  var serverOutcomes: [TLSEngine.Outcome] = []
  private let allocator = ByteBufferAllocator()

  init(
    identity: TLSIdentity? = nil, version: TLSContext.Version = .tls13, compatibility: Bool = false
  ) throws {
    let identity = try identity ?? TestIdentity.valid.get()
    client = try TLSEngine(context: .client(compatibility: compatibility), role: .client)
    server = try TLSEngine(
      context: .server(identity: identity, minimum: version, maximum: version), role: .server)
  }

  /// Carries bytes to and fro until both are silent; `step` is how many at a time.
  mutating func pump(step: Int = .max) {
    while true {
      let toServer = client.takeOutput(allocator)
      let toClient = server.takeOutput(allocator)
      if toServer == nil, toClient == nil { return }
      for piece in Self.pieces(toServer, step) { serverOutcomes += server.receive(piece) }
      for piece in Self.pieces(toClient, step) { clientOutcomes += client.receive(piece) }
    }
  }

  mutating func handshake(step: Int = .max) {
    clientOutcomes += client.start()
    serverOutcomes += server.start()
    pump(step: step)
  }

  static func pieces(_ buffer: ByteBuffer?, _ step: Int) -> [ByteBuffer] {
    guard var buffer else { return [] }
    var pieces: [ByteBuffer] = []
    while let piece = buffer.readSlice(length: min(step, buffer.readableBytes)), piece.readableBytes > 0 {
      pieces.append(piece)
    }
    return pieces
  }
}

extension [TLSEngine.Outcome] {
  var peer: TLSPeer? {
    compactMap { if case .handshakeCompleted(let peer) = $0 { peer } else { nil } }.first
  }

  var failure: TLSError? { compactMap { if case .failed(let error) = $0 { error } else { nil } }.first }

  /// All plain bytes.
  var plain: [UInt8] {
    flatMap { outcome -> [UInt8] in
      guard case .data(let buffer) = outcome else { return [] }
      return [UInt8](buffer.readableBytesView)
    }
  }
}

/// What came out of a connection's TLS handler, in order.
enum Seen: Sendable, Hashable {
  case handshake
  case bytes([UInt8])
  case peerClosed
  case error(String)
  case inactive
}

/// The end of a test's pipeline: tells what it sees to a stream.
final class Witness: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let report: AsyncStream<Seen>.Continuation

  init(_ report: AsyncStream<Seen>.Continuation) { self.report = report }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    report.yield(.bytes(Array(unwrapInboundIn(data).readableBytesView)))
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event as? TLSEvent {
    case .handshakeCompleted: report.yield(.handshake)
    case .peerClosed: report.yield(.peerClosed)
    case nil: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case let error as TLSError: report.yield(.error("\(error)"))
    case let error as IOError: report.yield(.error("errno \(error.errnoCode)"))
    default: report.yield(.error("\(type(of: error))"))
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    report.yield(.inactive)
    report.finish()
  }
}

extension AsyncStream<Seen> {
  /// Everything up to the end of the connection, neighbouring bytes joined.
  func all() async -> [Seen] {
    var seen: [Seen] = []
    for await next in self {
      if case .bytes(let new) = next, case .bytes(let old)? = seen.last {
        seen[seen.count - 1] = .bytes(old + new)
      } else {
        seen.append(next)
      }
    }
    return seen
  }
}
