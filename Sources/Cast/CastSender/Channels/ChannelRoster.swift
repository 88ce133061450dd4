import CastProtocol
import Synchronization

/// The channels of a session. They may be added and removed during a notification.
final class ChannelRoster: Sendable {
  private struct State {
    var channels: [any CastChannel] = []
    /// The application that is joined and active; nil while there is none.
    var application: ApplicationMetadata?
    /// Why there is no application any more; nil without an error.
    var reason: CastError?
    /// The channels that are being notified.
    var settling: Set<ObjectIdentifier> = []
  }
  private let state = Mutex(State())

  private enum Change {
    case connected(ApplicationMetadata)
    case disconnected(CastError?)
  }

  /// Adds a channel, and connects it if the application supports its namespace. It replaces an older channel of the same namespace.
  func add(_ channel: any CastChannel, to session: Session) {
    remove(from: channel.namespace)
    channel.connection.attach(to: session)
    state.withLock { $0.channels.append(channel) }
    settle(channel)
  }

  /// Removes a channel; it is notified if it was connected.
  func remove(_ channel: any CastChannel) {
    state.withLock { $0.channels.removeAll { $0 === channel } }
    settle(channel)
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
      (state.application, state.reason) = (application, error)
      return state.channels
    }
    for channel in channels { settle(channel) }
  }

  /// Notifies a channel until it knows the present state, which may change meanwhile: a channel is added from
  /// any thread. One caller at a time does so, in the order of the changes; any other leaves it to that one.
  private func settle(_ channel: any CastChannel) {
    let connection = channel.connection
    guard state.withLock({ $0.settling.insert(ObjectIdentifier(channel)).inserted }) else { return }
    while let change = nextChange(of: channel, connection) {
      switch change {
      case .connected(let application): channel.didConnect(to: application)
      case .disconnected(let error): channel.didDisconnect(error)
      }
    }
  }

  /// - Returns: nil when the channel is up to date; it is then not settling any more.
  private func nextChange(of channel: any CastChannel, _ connection: ChannelConnection) -> Change? {
    state.withLock { state in
      let isMember = state.channels.contains { $0 === channel }
      if isMember, let application = state.application, application.namespaces.contains(connection.namespace)
      {
        if connection.setConnected(true) { return .connected(application) }
      } else if connection.setConnected(false) {
        return .disconnected(isMember ? state.reason : nil)
      }
      state.settling.remove(ObjectIdentifier(channel))
      return nil
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
