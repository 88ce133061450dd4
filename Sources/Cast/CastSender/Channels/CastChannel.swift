public import CastProtocol

/// A custom namespace and the handlers of its events. Methods are called in the order of the events, on no particular thread; the
/// session waits for them, so they must return soon.
///
///     final class GameChannel: CastChannel {
///       let connection: ChannelConnection
///       init() throws { connection = try ChannelConnection(namespace: "urn:x-cast:com.example.game") }
///       func didReceive(_ text: String) { … }
///     }
public protocol CastChannel: AnyObject, Sendable {
  /// The namespace and its connection.
  var connection: ChannelConnection { get }
  /// The application supports the namespace from now on.
  func didConnect(to application: ApplicationMetadata)
  /// The application no longer supports the namespace, or has stopped. Nil without an error, such as when the session was ended.
  func didDisconnect(_ error: CastError?)
  /// The application sent text.
  func didReceive(_ text: String)
  /// The application sent bytes.
  func didReceive(_ bytes: [UInt8])
}

extension CastChannel {
  /// The namespace.
  public var namespace: String { connection.namespace }
  /// Whether the application supports the namespace now.
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
