import Glibc
import NIOCore

/// The outermost handler of a connection, next to the socket: here the network can fail without TLS having a say.
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

  /// The handshake reads for itself; not while there is no network.
  func read(context: ChannelHandlerContext) {
    if !isFrozen { context.read() }
  }

  /// Stops to read from the socket, or goes on with what has come meanwhile.
  func setFrozen(_ isFrozen: Bool) {
    self.isFrozen = isFrozen
    context?.channel.setOption(.autoRead, value: !isFrozen).whenFailure { _ in }
  }

  /// Ends the connection so that the peer finds it reset.
  func abort() {
    guard let context else { return }
    // A socket that does not linger throws away what is unsent and resets the connection.
    (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      .whenFailure { _ in }
    context.close(mode: .all, promise: nil)
  }
}
