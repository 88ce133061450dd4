/// The properties that a Cast device announces in its TXT record (protocol 13.2).
///
/// Only the identity and the name are required; a value of the wrong type counts as absent.
package struct CastServiceRecord: Sendable, Hashable {
  /// Why a TXT record does not describe a Cast device.
  package enum Flaw: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no `id`.
    case noIdentity
    /// The `id` is not a UUID: emulators send such values (protocol 13.2).
    case malformedIdentity(String)
    /// There is no `fn`, or an empty one.
    case noName

    package var description: String {
      switch self {
      case .noIdentity: "it announces no ‘id’"
      case .malformedIdentity(let text): "its ‘id’ is ‘\(text)’, which is not a UUID"
      case .noName: "it announces no name (‘fn’)"
      }
    }
  }

  /// `id`: 32 lower-case hexadecimal digits.
  package var uniqueID: String
  /// `fn`.
  package var friendlyName: String
  /// `md`; nil when unknown.
  package var modelName: String?
  /// `ve`, 2 to 99; nil when unknown.
  package var protocolVersion: Int?
  /// `ca`; nil when unknown.
  package var capabilities: DeviceCapabilities?
  /// `st`.
  package var status: DeviceStatus
  /// `rs`; nil when nothing runs.
  package var statusText: String?
  /// `ic`; nil when unknown.
  package var iconPath: String?

  package init(
    uniqueID: String, friendlyName: String, modelName: String? = nil, protocolVersion: Int? = nil,
    capabilities: DeviceCapabilities? = nil, status: DeviceStatus = .unknown, statusText: String? = nil,
    iconPath: String? = nil
  ) {
    self.uniqueID = uniqueID
    self.friendlyName = friendlyName
    self.modelName = modelName
    self.protocolVersion = protocolVersion
    self.capabilities = capabilities
    self.status = status
    self.statusText = statusText
    self.iconPath = iconPath
  }

  /// Parses the strings of a TXT record.
  package init(strings: [[UInt8]]) throws(Flaw) {
    let values = Self.values(of: strings)
    guard let id = values["id"], !id.isEmpty else { throw .noIdentity }
    guard let uniqueID = Device.normalizedID(id) else { throw .malformedIdentity(id) }
    guard let name = values["fn"], !name.allSatisfy(\.isWhitespace) else { throw .noName }
    self.init(
      uniqueID: uniqueID, friendlyName: name, modelName: values["md"].flatMap(Self.nonempty),
      protocolVersion: values["ve"].flatMap { Int($0) }.flatMap { (2...99).contains($0) ? $0 : nil },
      capabilities: values["ca"].flatMap { UInt64($0) }.map(DeviceCapabilities.init(rawValue:)),
      status: values["st"] == "0" ? .idle : values["st"] == "1" ? .busy : .unknown,
      statusText: values["rs"].flatMap(Self.nonempty), iconPath: values["ic"].flatMap(Self.nonempty))
  }

  /// Keys in lower case and their values. Of repeated keys the first counts; a key without a value is ignored (RFC 6763, 6.4).
  private static func values(of strings: [[UInt8]]) -> [String: String] {
    var values: [String: String] = [:]
    for string in strings {
      guard let separator = string.firstIndex(of: UInt8(ascii: "=")), separator > 0 else { continue }
      let key = String(decoding: string[..<separator], as: UTF8.self).lowercased()
      if values[key] == nil { values[key] = String(decoding: string[(separator + 1)...], as: UTF8.self) }
    }
    return values
  }

  private static func nonempty(_ text: String) -> String? { text.isEmpty ? nil : text }

  /// Whether user interfaces hide the device: it is one speaker of a stereo pair (protocol 13.3).
  package var isHidden: Bool { capabilities?.contains(.multichannelMember) ?? false }

  /// The device at an endpoint.
  package func device(at endpoint: DeviceEndpoint) -> Device {
    Device(
      endpoint: endpoint, friendlyName: friendlyName, uniqueID: uniqueID, modelName: modelName,
      protocolVersion: protocolVersion, capabilities: capabilities, status: status, statusText: statusText,
      iconPath: iconPath)
  }
}
