public import CastProtocol
import Synchronization

/// One custom namespace of one session: connected exactly while the joined application supports it (protocol 16).
///
/// A channel holds one and is added to a session with `Session.add(_:)`, at any time, also before the session starts. It then
/// follows the application automatically.
public final class ChannelConnection: Sendable {
  /// The namespace, such as `urn:x-cast:com.example.game`.
  public let namespace: String

  private struct State {
    weak var session: Session?
    var isConnected = false
  }
  private let state = Mutex(State())

  /// - Throws: `invalidRequest` when the text is not a valid namespace, or is reserved for the protocol (protocol 16).
  public init(namespace: String) throws(CastError) {
    if let problem = ChannelNamespace.problem(with: namespace) {
      throw .unusableNamespace(namespace, problem)
    }
    self.namespace = namespace
  }

  /// Whether the application supports the namespace now.
  public var isConnected: Bool { state.withLock(\.isConnected) }

  /// Sends text unchanged; JSON is not quoted again. Returns when the message was passed to the connection: nothing confirms that
  /// the application received it (protocol 16).
  /// - Throws: `channelNotConnected` when no application supports the namespace, `messageTooBig` beyond 64 KiB for the whole
  ///   message, `sendBufferFull` while the device has not read earlier messages.
  public func send(_ text: String) async throws(CastError) { try await send(.text(text)) }

  /// Sends bytes. Applications made with Google's receiver framework accept text only.
  /// - Throws: as for text.
  public func send(_ bytes: [UInt8]) async throws(CastError) { try await send(.binary(bytes)) }

  private func send(_ payload: ChannelPayload) async throws(CastError) {
    guard let session = state.withLock(\.session) else { throw .channelWithoutSession(namespace) }
    _ = try await session.submit(.message(ChannelMessage(namespace: namespace, payload: payload))).value
  }

  func attach(to session: Session?) { state.withLock { $0.session = session } }

  /// - Returns: whether the state changed.
  func setConnected(_ isConnected: Bool) -> Bool {
    state.withLock { state in
      defer { state.isConnected = isConnected }
      return state.isConnected != isConnected
    }
  }
}

extension CastError {
  fileprivate static func channelWithoutSession(_ namespace: String) -> CastError {
    CastError(
      .channelNotConnected,
      "nothing was sent over \(namespace): the channel belongs to no session; add it to a session first")
  }
}
