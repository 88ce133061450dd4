import CastProtocol

/// What is observable of a device without a connection (protocol 13.2, 13.4).
struct ReceiverAppearance: Sendable, Equatable {
  var friendlyName: String
  /// Whether the device is on, and on the network.
  var isPresent: Bool
  /// Whether an application runs.
  var isBusy = false
  /// The application's status text.
  var statusText = ""
  /// The application's namespaces.
  var namespaces: [String] = []
}

extension ReceiverModel {
  var appearance: ReceiverAppearance {
    guard let application = platform.application else {
      return ReceiverAppearance(friendlyName: platform.friendlyName, isPresent: door == .open)
    }
    return ReceiverAppearance(
      friendlyName: platform.friendlyName, isPresent: door == .open, isBusy: true,
      statusText: application.statusText,
      namespaces: application.isReady ? application.namespaces : [])
  }
}
