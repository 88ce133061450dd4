import CastProtocol
import CastTLS
import NIOCore
import Synchronization

/// How many messages were delivered and not dealt with yet.
final class Backlog: Sendable {
  /// Above this, reading stops.
  static let high = 64
  /// Down to this, reading goes on.
  static let low = 16

  private let count = Atomic<Int>(0)

  var isHigh: Bool { count.load(ordering: .acquiring) >= Self.high }

  func add() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// True when reading may go on after having stopped.
  func remove() -> Bool {
    count.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == Self.low
  }
}

/// The end of the pipeline: plain bytes in, messages out, one at a time and in order. It does nothing else with them, so that
/// reading never waits for anything but the backlog.
final class FrameHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Succeeds when TLS stands, fails when the channel ends before.
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
  /// Known when `opened` succeeds.
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
      // A goodbye is answered by one; nothing more will come.
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

  /// The channel wants to read on: not while the session has enough to do.
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

  /// Remembers the first thing that went wrong; the end of the channel tells it.
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

/// TCP stands, and TLS does not come.
struct HandshakeTimeout: Error {}
