import CastProtocol
import Synchronization

/// The channels of a session. They may be added and removed during a notification.
final class ChannelRoster: Sendable {
  private struct State {
    var channels: [any CastChannel] = []
    /// The application that is joined and active; nil while there is none.
    var application: ApplicationMetadata?
  }
  private let state = Mutex(State())

  /// Adds a channel, and connects it if the application supports its namespace. It replaces an older channel of the same namespace.
  func add(_ channel: any CastChannel, to session: Session) {
    remove(from: channel.namespace)
    channel.connection.attach(to: session)
    let application = state.withLock { state in
      state.channels.append(channel)
      return state.application
    }
    settle(channel, application, nil)
  }

  /// Removes a channel; it is notified if it was connected.
  func remove(_ channel: any CastChannel) {
    state.withLock { $0.channels.removeAll { $0 === channel } }
    settle(channel, nil, nil)
    channel.connection.attach(to: nil)
  }

  private func remove(from namespace: String) {
    let older = state.withLock { $0.channels.filter { $0.namespace == namespace } }
    for channel in older { remove(channel) }
  }

  /// The application or its namespaces changed.
  /// - Parameter error: why there is no application any more; nil without an error.
  func applicationChanged(to application: ApplicationMetadata?, because error: CastError?) {
    let channels = state.withLock { state in
      state.application = application
      return state.channels
    }
    for channel in channels { settle(channel, application, error) }
  }

  private func settle(
    _ channel: any CastChannel, _ application: ApplicationMetadata?, _ error: CastError?
  ) {
    if let application, application.namespaces.contains(channel.namespace) {
      if channel.connection.setConnected(true) { channel.didConnect(to: application) }
    } else if channel.connection.setConnected(false) {
      channel.didDisconnect(error)
    }
  }

  /// - Returns: whether a channel received it.
  func deliver(_ message: ChannelMessage) -> Bool {
    let channel = state.withLock { $0.channels.first { $0.namespace == message.namespace } }
    switch message.payload {
    case .text(let text): channel?.didReceive(text)
    case .binary(let bytes): channel?.didReceive(bytes)
    }
    return channel != nil
  }
}
