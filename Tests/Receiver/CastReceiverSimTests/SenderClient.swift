import CastProtocol
import CastReceiverSim
import CastTLS
import NIOCore
import NIOPosix

/// A bare sender over real TLS, for testing the simulator's driver.
final class SenderClient: Sendable {
  enum Event: Sendable {
    case message(CastMessage)
    /// How it ended: in good order, or not.
    case closed(wasReset: Bool)
  }

  private let channel: any Channel
  private let events: AsyncStream<Event>

  private init(channel: any Channel, events: AsyncStream<Event>) {
    self.channel = channel
    self.events = events
  }

  /// - Parameter patience: how long the connection may take to stand.
  static func connect(port: Int, patience: TimeAmount = .seconds(10)) async throws -> SenderClient {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let context = try TLSContext.client()
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(patience)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(TLSHandler(context: context, role: .client))
          try channel.pipeline.syncOperations.addHandler(Collector(continuation))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    return SenderClient(channel: channel, events: events)
  }

  func send(_ body: JSONValue, _ namespace: Namespace, to destination: EndpointID = .receiver) async throws {
    let message = CastMessage(source: "sender-7", destination: destination, namespace: namespace, json: body)
    try await send(FrameCodec.encode(message))
  }

  func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

  /// The next message that fits; nil when the receiver hangs up first.
  func next(where fits: (JSONValue) -> Bool) async -> JSONValue? {
    for await event in events {
      switch event {
      case .closed: return nil
      case .message(let message):
        if let body = message.body, fits(body) { return body }
      }
    }
    return nil
  }

  /// Waits for the end of the connection; true when the receiver has reset it.
  func wasReset() async -> Bool {
    for await event in events {
      if case .closed(let wasReset) = event { return wasReset }
    }
    return false
  }

  /// Launches the media receiver and connects to it. Returns its endpoint; nil when that failed.
  func launch() async throws -> EndpointID? {
    try await send(["type": "CONNECT"], .connection)
    try await send(["type": "LAUNCH", "requestId": 1, "appId": "CC1AD845"], .receiver)
    let status = await next { $0["requestId"]?.int == 1 }
    guard let id = status?["status"]?["applications"]?.array?.first?["transportId"]?.string else {
      return nil
    }
    try await send(["type": "CONNECT"], .connection, to: EndpointID(id))
    return EndpointID(id)
  }

  /// Asks for the device's status: afterwards the receiver has read everything sent before.
  func status() async throws -> JSONValue? {
    try await send(["type": "GET_STATUS", "requestId": 99], .receiver)
    return await next { $0["requestId"]?.int == 99 }?["status"]
  }

  func close() async throws { try await channel.close() }
}

private final class Collector: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let continuation: AsyncStream<SenderClient.Event>.Continuation
  private var decoder = FrameDecoder()
  private var wasReset = false

  init(_ continuation: AsyncStream<SenderClient.Event>.Continuation) { self.continuation = continuation }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    do {
      for message in try decoder.append(unwrapInboundIn(data).readableBytesView) {
        continuation.yield(.message(message))
      }
    } catch {
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    continuation.yield(.closed(wasReset: wasReset))
    continuation.finish()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if case .reset? = error as? TLSError { wasReset = true }
    context.close(promise: nil)
  }
}
