public import CastProtocol
import Synchronization

/// Hears what happens on a `GenericChannel`. All methods have an empty default.
public protocol GenericChannelDelegate: AnyObject, Sendable {
  /// The application listens from now on.
  func genericChannelDidConnect(_ channel: GenericChannel)
  /// The application listens no more, or is gone; nil when nothing went wrong.
  func genericChannel(_ channel: GenericChannel, didDisconnectWith error: CastError?)
  /// The application said something.
  func genericChannel(_ channel: GenericChannel, didReceive payload: ChannelPayload)
}

extension GenericChannelDelegate {
  /// Does nothing.
  public func genericChannelDidConnect(_ channel: GenericChannel) {}
  /// Does nothing.
  public func genericChannel(_ channel: GenericChannel, didDisconnectWith error: CastError?) {}
  /// Does nothing.
  public func genericChannel(_ channel: GenericChannel, didReceive payload: ChannelPayload) {}
}

/// A custom namespace for those who do not want a type of their own for it: with a delegate, or read as a sequence.
public final class GenericChannel: CastChannel {
  /// The namespace and the way to it.
  public let connection: ChannelConnection

  /// Number of messages that a sequence keeps for a slow reader; older ones are dropped then.
  public static let bufferSize = 256

  private struct State {
    weak var delegate: (any GenericChannelDelegate)?
    var last = 0
    var readers: [Int: AsyncStream<ChannelPayload>.Continuation] = [:]
  }
  private let state = Mutex(State())

  /// - Parameters:
  ///   - namespace: such as `urn:x-cast:com.example.game`.
  ///   - delegate: hears what happens; held weakly. Nil for none.
  /// - Throws: `invalidRequest` when the text cannot be a namespace (protocol 16).
  public init(namespace: String, delegate: (any GenericChannelDelegate)? = nil) throws(CastError) {
    connection = try ChannelConnection(namespace: namespace)
    self.delegate = delegate
  }

  /// Hears what happens; held weakly. Nil by default.
  public var delegate: (any GenericChannelDelegate)? {
    get { state.withLock(\.delegate) }
    set { state.withLock { $0.delegate = newValue } }
  }

  /// What the application says from now on; ends when the channel is deallocated. Every call makes a sequence of its own.
  public func messages() -> AsyncStream<ChannelPayload> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ChannelPayload.self, bufferingPolicy: .bufferingNewest(Self.bufferSize))
    let number = state.withLock { state in
      state.last += 1
      state.readers[state.last] = continuation
      return state.last
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
    }
    return stream
  }

  deinit {
    for reader in state.withLock({ $0.readers.values }) { reader.finish() }
  }

  /// Tells the delegate.
  public func didConnect(to application: ApplicationMetadata) { delegate?.genericChannelDidConnect(self) }

  /// Tells the delegate.
  public func didDisconnect(_ error: CastError?) {
    delegate?.genericChannel(self, didDisconnectWith: error)
  }

  /// Tells delegate and readers.
  public func didReceive(_ text: String) { receive(.text(text)) }

  /// Tells delegate and readers.
  public func didReceive(_ bytes: [UInt8]) { receive(.binary(bytes)) }

  private func receive(_ payload: ChannelPayload) {
    let (delegate, readers) = state.withLock { ($0.delegate, Array($0.readers.values)) }
    for reader in readers { reader.yield(payload) }
    delegate?.genericChannel(self, didReceive: payload)
  }
}
