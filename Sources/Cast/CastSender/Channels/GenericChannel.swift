public import CastProtocol
import Synchronization

/// Receives the events of a `GenericChannel`. All methods have an empty default.
public protocol GenericChannelDelegate: AnyObject, Sendable {
  /// The application supports the namespace from now on.
  func genericChannelDidConnect(_ channel: GenericChannel)
  /// The application no longer supports the namespace, or has stopped; nil without an error.
  func genericChannel(_ channel: GenericChannel, didDisconnectWith error: CastError?)
  /// The application sent a message.
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

/// A custom namespace that needs no type of its own: it has a delegate and can be read as a sequence.
public final class GenericChannel: CastChannel {
  /// The namespace and its connection.
  public let connection: ChannelConnection

  /// Number of messages that a sequence buffers for a slow reader; then the oldest ones are dropped.
  public static let bufferSize = 256

  private struct State {
    weak var delegate: (any GenericChannelDelegate)?
  }
  private let state = Mutex(State())
  private let streams = UpdateStreams<ChannelPayload>(newest: GenericChannel.bufferSize)

  /// - Parameters:
  ///   - namespace: such as `urn:x-cast:com.example.game`.
  ///   - delegate: receives the events; held weakly. Nil for none.
  /// - Throws: `invalidRequest` when the text is not a valid namespace (protocol 16).
  public init(namespace: String, delegate: (any GenericChannelDelegate)? = nil) throws(CastError) {
    connection = try ChannelConnection(namespace: namespace)
    self.delegate = delegate
  }

  /// Receives the events; held weakly. Nil by default.
  public var delegate: (any GenericChannelDelegate)? {
    get { state.withLock(\.delegate) }
    set { state.withLock { $0.delegate = newValue } }
  }

  /// The application's messages from now on; ends when the channel is deallocated. Every call creates a sequence.
  public func messages() -> AsyncStream<ChannelPayload> { streams.add() }

  deinit { streams.finish() }

  /// Notifies the delegate.
  public func didConnect(to application: ApplicationMetadata) { delegate?.genericChannelDidConnect(self) }

  /// Notifies the delegate.
  public func didDisconnect(_ error: CastError?) {
    delegate?.genericChannel(self, didDisconnectWith: error)
  }

  /// Notifies the delegate and the readers.
  public func didReceive(_ text: String) { receive(.text(text)) }

  /// Notifies the delegate and the readers.
  public func didReceive(_ bytes: [UInt8]) { receive(.binary(bytes)) }

  private func receive(_ payload: ChannelPayload) {
    streams.yield(payload)
    delegate?.genericChannel(self, didReceive: payload)
  }
}
