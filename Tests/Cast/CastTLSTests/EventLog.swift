import CastTLS
import NIOCore

/// The last handler of a pipeline: writes down what it sees, in short words.
final class EventLog: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// What was seen; belongs to the channel's event loop.
  final class Entries {
    fileprivate(set) var lines: [String] = []
    /// Runs when the handshake is completed.
    var onHandshake: (ChannelHandlerContext) -> Void = { _ in }
  }

  private let entries: Entries
  private let ended: EventLoopPromise<[String]>?
  private let onActive: (ChannelHandlerContext) -> Void

  /// - Parameters:
  ///   - ended: gets all lines when the channel becomes inactive.
  ///   - onActive: runs when the channel becomes active, before the handshake.
  init(
    _ entries: Entries = Entries(), ended: EventLoopPromise<[String]>? = nil,
    onActive: @escaping (ChannelHandlerContext) -> Void = { _ in }
  ) {
    self.entries = entries
    self.ended = ended
    self.onActive = onActive
  }

  func channelActive(context: ChannelHandlerContext) { onActive(context) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    entries.lines.append(unwrapInboundIn(data).text)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event as? TLSEvent {
    case .handshakeCompleted(let peer)?:
      entries.lines.append("handshake \(peer.version)")
      entries.onHandshake(context)
    case .peerClosed?: entries.lines.append("peerClosed")
    case nil: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    entries.lines.append("error: \(error)")
  }

  func channelInactive(context: ChannelHandlerContext) {
    entries.lines.append("inactive")
    ended?.succeed(entries.lines)
  }
}
