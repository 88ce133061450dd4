package import NIOCore

/// Pauses a listener that has no descriptor for a connection, instead of failing again and again for as long as somebody waits.
///
/// NIO's `AcceptBackoffHandler` delays the next `read` alone: the one that failed stays pending, and a socket at which somebody waits
/// stays readable, so that its loop tries at once. This handler stops the listener's reading itself. It stands before others that
/// wait for errors.
package final class AcceptPause: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = any Channel

  /// How long the listener pauses.
  static let length = TimeAmount.milliseconds(250)

  private var end: Scheduled<Void>?

  package init() {}

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is IOError else { return context.fireErrorCaught(error) }
    guard end == nil else { return }
    let channel = context.channel
    // Both fail only where the listener is closed already.
    try? channel.syncOptions?.setOption(.autoRead, value: false)
    end = context.eventLoop.assumeIsolated().scheduleTask(in: Self.length) {
      self.end = nil
      try? channel.syncOptions?.setOption(.autoRead, value: true)
    }
  }

  package func channelInactive(context: ChannelHandlerContext) {
    end?.cancel()
    context.fireChannelInactive()
  }
}
