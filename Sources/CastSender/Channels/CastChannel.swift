public import CastProtocol

/// A custom namespace with what happens on it. Methods are called in the order of the events, on no particular thread, and the
/// session waits for them: hand on what takes time.
///
///     final class GameChannel: CastChannel {
///       let connection: ChannelConnection
///       init() throws { connection = try ChannelConnection(namespace: "urn:x-cast:com.example.game") }
///       func didReceive(_ text: String) { … }
///     }
public protocol CastChannel: AnyObject, Sendable {
  /// The namespace and the way to it.
  var connection: ChannelConnection { get }
  /// The application listens from now on.
  func didConnect(to application: ApplicationMetadata)
  /// The application listens no more, or is gone. Nil when nothing went wrong, such as when the session was ended.
  func didDisconnect(_ error: CastError?)
  /// The application said something.
  func didReceive(_ text: String)
  /// The application sent bytes.
  func didReceive(_ bytes: [UInt8])
}

extension CastChannel {
  /// The namespace.
  public var namespace: String { connection.namespace }
  /// Whether the application listens now.
  public var isConnected: Bool { connection.isConnected }
  /// Sends text; see `ChannelConnection.send(_:)`.
  public func send(_ text: String) async throws(CastError) { try await connection.send(text) }
  /// Sends bytes; see `ChannelConnection.send(_:)`.
  public func send(_ bytes: [UInt8]) async throws(CastError) { try await connection.send(bytes) }
  /// Does nothing.
  public func didConnect(to application: ApplicationMetadata) {}
  /// Does nothing.
  public func didDisconnect(_ error: CastError?) {}
  /// Does nothing.
  public func didReceive(_ text: String) {}
  /// Does nothing.
  public func didReceive(_ bytes: [UInt8]) {}
}
