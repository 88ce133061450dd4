import CastqFeeding
import Glibc
import NIOCore
import NIOPosix

/// One request and its reply on a connection of its own. All of it is done where the connection is served: a click waits for it.
final class ControlExchange: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let line: [UInt8]
  private let socket: String
  private let reply: EventLoopPromise<[UInt8]>
  private var received: [UInt8] = []

  private init(_ line: [UInt8], _ socket: String, _ reply: EventLoopPromise<[UInt8]>) {
    self.line = line
    self.socket = socket
    self.reply = reply
  }

  /// Connects and sends a line.
  /// - Returns: the connection, and the reply without its line end; nil if nothing listens, because a killed feeder leaves its socket
  ///   behind.
  static func begin(_ line: [UInt8], to socket: String) async -> (
    channel: any Channel, reply: EventLoopFuture<[UInt8]>
  )? {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let reply = loop.makePromise(of: [UInt8].self)
    let connection = ClientBootstrap(group: loop).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(ControlExchange(line, socket, reply))
      }
    }
    do {
      return (try await connection.connect(unixDomainSocketPath: socket).get(), reply.futureResult)
    } catch {
      reply.fail(ControlClient.lost)
      return nil
    }
  }

  func channelActive(context: ChannelHandlerContext) {
    ControlClient.peer(of: context.channel, at: socket).assumeIsolated().whenComplete { result in
      switch result {
      case .success:
        // A feeder that has no place for a client says so before it reads, and then nothing can be written.
        context.writeAndFlush(NIOAny(ByteBuffer(bytes: self.line)), promise: nil)
      case .failure(let error): self.end(.failure(error), context)
      }
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytesView
    if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
      self.end(.success(Array(received[..<end])), context)
    } else if received.count > ControlRequest.lineLimit {
      self.end(.failure(ControlClient.lost), context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) { end(.failure(ControlClient.lost), context) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // What the feeder said before it closed may still be read.
  }

  /// The first of all ends counts.
  private func end(_ result: Result<[UInt8], any Error>, _ context: ChannelHandlerContext) {
    reply.completeWith(result)
    context.close(promise: nil)
  }
}
