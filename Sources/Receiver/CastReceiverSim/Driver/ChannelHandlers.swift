import CastProtocol
import CastTLS
import NIOCore

/// Converts between a peer's bytes and the driver's messages, in frames (protocol 1.2).
final class SimConnectionHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = CastMessage
  typealias OutboundOut = ByteBuffer

  /// Size of the pieces when frames are split, in bytes.
  private static let pieceSize = 7

  private let driver: SimDriver
  private let sendsPieces: Bool
  private var decoder = FrameDecoder()
  private var connection: SimConnectionID?

  init(driver: SimDriver, sendsPieces: Bool) {
    self.driver = driver
    self.sendsPieces = sendsPieces
  }

  /// Opens the connection when the handshake is done.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSEvent, connection == nil {
      connection = driver.opened(context.channel)
      if connection == nil { context.close(promise: nil) }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let connection else { return }
    do {
      for message in try decoder.append(unwrapInboundIn(data).readableBytesView) {
        driver.received(message, from: connection)
      }
    } catch {
      // The stream cannot be resynchronized after a malformed frame (protocol 1.2).
      context.close(promise: nil)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    do {
      let frame = try FrameCodec.encode(unwrapOutboundIn(data))
      guard sendsPieces else {
        return context.write(wrapOutboundOut(ByteBuffer(bytes: frame)), promise: promise)
      }
      for start in stride(from: 0, to: frame.count, by: Self.pieceSize) {
        let piece = frame[start..<min(start + Self.pieceSize, frame.count)]
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: piece)), promise: nil)
      }
      promise?.succeed()
    } catch {
      promise?.fail(error)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let connection { driver.closed(connection) }
    connection = nil
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
