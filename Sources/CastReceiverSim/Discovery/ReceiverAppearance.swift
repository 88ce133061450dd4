import CastProtocol

/// What can be seen of a device from outside without connecting to it (protocol 13.2, 13.4).
struct ReceiverAppearance: Sendable, Equatable {
  var friendlyName: String
  /// It is on, and on the network.
  var isPresent: Bool
  /// An application runs.
  var isBusy = false
  /// What it says of itself.
  var statusText = ""
  /// What it speaks.
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
