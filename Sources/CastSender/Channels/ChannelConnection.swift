public import CastProtocol
import Synchronization

/// One custom namespace of one session: connected exactly while the application that is joined listens to it (protocol 16).
///
/// A channel holds one and is added to a session with `Session.add(_:)`, at any time, also before the session starts. After that
/// it follows the application by itself.
public final class ChannelConnection: Sendable {
  /// The namespace, such as `urn:x-cast:com.example.game`.
  public let namespace: String

  private struct State {
    weak var session: Session?
    var isConnected = false
  }
  private let state = Mutex(State())

  /// - Throws: `invalidRequest` when the text cannot be a namespace, or is one of the protocol's own (protocol 16).
  public init(namespace: String) throws(CastError) {
    if let problem = ChannelNamespace.problem(with: namespace) {
      throw .unusableNamespace(namespace, problem)
    }
    self.namespace = namespace
  }

  /// Whether the application listens now.
  public var isConnected: Bool { state.withLock(\.isConnected) }

  /// Sends text as it is; JSON is not quoted once more. Returns when the message was handed to the connection: nothing confirms
  /// that the application took it (protocol 16).
  /// - Throws: `channelNotConnected` when nobody would hear it, `messageTooBig` beyond 64 KiB for the whole message,
  ///   `sendBufferFull` while the device does not take what was sent before.
  public func send(_ text: String) async throws(CastError) { try await send(.text(text)) }

  /// Sends bytes. Applications made with Google's receiver framework take text only.
  /// - Throws: as for text.
  public func send(_ bytes: [UInt8]) async throws(CastError) { try await send(.binary(bytes)) }

  private func send(_ payload: ChannelPayload) async throws(CastError) {
    guard let session = state.withLock(\.session) else { throw .channelWithoutSession(namespace) }
    _ = try await session.submit(.message(ChannelMessage(namespace: namespace, payload: payload))).value
  }

  func attach(to session: Session?) { state.withLock { $0.session = session } }

  /// - Returns: whether that is news.
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
