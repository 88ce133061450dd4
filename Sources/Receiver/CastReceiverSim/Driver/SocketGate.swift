import Glibc
import NIOCore

/// The outermost handler of a connection, next to the socket: it simulates network failures below TLS.
final class SocketGate: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let driver: SimDriver
  private var context: ChannelHandlerContext?
  private var isFrozen = false

  init(driver: SimDriver) { self.driver = driver }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    driver.arrived(self, on: context.channel)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    driver.left(context.channel)
  }

  /// The TLS handshake calls `read` itself, which must do nothing without a network.
  func read(context: ChannelHandlerContext) {
    if !isFrozen { context.read() }
  }

  /// Stops reading from the socket, or continues with what has arrived since.
  func setFrozen(_ isFrozen: Bool) {
    self.isFrozen = isFrozen
    context?.channel.setOption(.autoRead, value: !isFrozen).whenFailure { _ in }
  }

  /// Resets the connection.
  func abort() {
    guard let context else { return }
    // With a linger time of 0, closing discards unsent data and resets the connection.
    (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      .whenFailure { _ in }
    context.close(mode: .all, promise: nil)
  }
}
