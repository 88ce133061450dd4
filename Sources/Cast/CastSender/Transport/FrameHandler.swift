import CastProtocol
import CastTLS
import NIOCore
import Synchronization

/// Counts messages that were delivered and not yet processed.
final class Backlog: Sendable {
  /// At this count, reading stops.
  static let high = 64
  /// At this count, reading resumes.
  static let low = 16

  private let count = Atomic<Int>(0)

  var isHigh: Bool { count.load(ordering: .acquiring) >= Self.high }

  func add() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// True when reading may resume.
  func remove() -> Bool {
    count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == Self.low
  }
}

/// The last handler of the pipeline: decrypted bytes in, messages out, one at a time and in order. It does not process them, so
/// that reading waits only for the backlog.
final class FrameHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Succeeds when TLS is established, fails when the channel closes before.
  let opened: EventLoopPromise<Void>
  private let deadline: NIODeadline
  private let backlog: Backlog
  private let words: ConnectErrorWords
  private let deliver: @Sendable (TransportEvent) -> Void
  private var decoder = FrameDecoder()
  private var context: ChannelHandlerContext?
  private var timeout: Scheduled<Void>?
  private var isOpen = false
  private var isReadHeld = false
  private var failure: (any Error)?
  /// Set when `opened` succeeds.
  private(set) var peerCertificate: [UInt8]?

  init(
    opened: EventLoopPromise<Void>, deadline: NIODeadline, backlog: Backlog, words: ConnectErrorWords,
    deliver: @escaping @Sendable (TransportEvent) -> Void
  ) {
    self.opened = opened
    self.deadline = deadline
    self.backlog = backlog
    self.words = words
    self.deliver = deliver
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    timeout?.cancel()
    opened.fail(failure ?? ChannelError.ioOnClosedChannel)
  }

  func channelActive(context: ChannelHandlerContext) {
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    timeout = context.eventLoop.scheduleTask(deadline: deadline) {
      bound.value.fail(with: HandshakeTimeout())
    }
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event as? TLSEvent {
    case .handshakeCompleted(let peer):
      isOpen = true
      peerCertificate = peer.certificateDER
      timeout?.cancel()
      opened.succeed()
    case .peerClosed:
      // close_notify is answered with close_notify; no more data follows.
      context.close(promise: nil)
    case nil: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard failure == nil else { return }
    do {
      for message in try decoder.append(unwrapInboundIn(data).readableBytesView) {
        backlog.add()
        deliver(.message(message))
      }
    } catch {
      fail(with: error)
    }
  }

  /// Reading is held while the backlog is high.
  func read(context: ChannelHandlerContext) {
    if backlog.isHigh {
      isReadHeld = true
    } else {
      context.read()
    }
  }

  func resumeReading() {
    guard isReadHeld else { return }
    isReadHeld = false
    context?.read()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(with: error) }

  /// Records the first error, which is reported when the channel closes.
  func fail(with error: any Error) {
    if failure == nil { failure = error }
    context?.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timeout?.cancel()
    if isOpen {
      deliver(.closed(failure.map { .failed(words.error(for: $0)) } ?? .closedByPeer))
    } else {
      opened.fail(failure ?? ChannelError.eof)
    }
    context.fireChannelInactive()
  }
}

/// TCP is established, but the TLS handshake does not complete.
struct HandshakeTimeout: Error {}
