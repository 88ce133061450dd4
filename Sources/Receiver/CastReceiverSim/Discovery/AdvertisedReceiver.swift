import CastProtocol

/// What a device advertises about itself (protocol 13.1, 13.2).
///
/// It shares no code with the sender that parses its records, so that both cannot have the same bug.
package struct AdvertisedReceiver: Sendable, Equatable {
  /// With dashes, as in its host name.
  package var uuid: String
  package var friendlyName: String
  package var model: String
  /// The port it listens on for senders.
  package var port: Int
  /// `ca` (protocol 13.3).
  package var capabilities: UInt64
  /// Applications it can run: each has a subtype (protocol 13.4).
  package var applicationIDs: [String] = []
  /// Upper-case SHA-1 of each namespace the running application speaks (protocol 13.4).
  package var namespaceHashes: [String] = []
  /// Whether an application runs that can be joined.
  package var isBusy = false
  /// The status text of the running application.
  package var statusText = ""

  package init(uuid: String, friendlyName: String, model: String, port: Int, capabilities: UInt64) {
    self.uuid = uuid
    self.friendlyName = friendlyName
    self.model = model
    self.port = port
    self.capabilities = capabilities
  }

  /// The identity without dashes, as in the TXT record.
  var id: String { uuid.filter { $0 != "-" }.lowercased() }

  /// Model, a dash, and the identity: at most 53 bytes, so that a suffix has room (protocol 13.1).
  var instanceName: String {
    let words = model.map { $0 == " " || $0 == "." ? "-" : $0 }
    return Self.fitting(String(words), bytes: 20) + "-" + id
  }

  /// The strings of the TXT record, in the order of genuine devices (protocol 13.2).
  var texts: [[UInt8]] {
    let fields: [(String, String)] = [
      ("id", id), ("cd", String(id.reversed()).uppercased()), ("rm", String(id.prefix(16)).uppercased()),
      ("ve", "05"), ("md", model), ("ic", "/setup/icon.png"), ("fn", friendlyName), ("ca", "\(capabilities)"),
      ("st", isBusy ? "1" : "0"), ("bs", "FA8FCA" + id.suffix(6).uppercased()), ("nf", "1"),
      ("rs", statusText),
    ]
    return fields.map { Array(Self.fitting("\($0)=\($1)", bytes: 255).utf8) }
  }

  /// The longest prefix of whole characters that fits into the limit.
  private static func fitting(_ text: String, bytes limit: Int) -> String {
    var room = limit
    return String(
      text.prefix {
        room -= $0.utf8.count
        return room >= 0
      })
  }
}

extension AdvertisedReceiver {
  /// What a configured device advertises while no application runs.
  init(_ configuration: ReceiverConfiguration, port: Int) {
    self.init(
      uuid: configuration.uuid, friendlyName: configuration.friendlyName, model: configuration.model,
      port: port,
      capabilities: configuration.capabilities)
    applicationIDs = PlatformState(configuration: configuration).catalogue.map(\.appID)
  }
}

extension ReceiverConfiguration {
  /// The bits of protocol 13.3.
  var capabilities: UInt64 {
    if !members.isEmpty { return isStereoPair ? 4 | 32 | 128 : 4 | 32 }
    let volume: UInt64 =
      switch volumeControl {
      case .attenuation: 4096
      case .master: 2048
      case .fixed: 4096 | 2048
      }
    return (isAudioOnly ? 4 : 5) | volume
  }
}
