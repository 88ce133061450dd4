package import CastProtocol
import CastqText
import Glibc

/// Selects one of the known devices.
struct DeviceSelection {
  let all: [KnownDevice]

  /// Selects by alias, given name, UUID in any spelling, address, the device's own name, or a unique prefix of a name. Nil means the
  /// default device, or the only one.
  func device(matching selector: String?) throws(StoreError) -> KnownDevice {
    guard let selector else {
      // Devices that only a scan has seen are not candidates for the default, unless there are no others.
      let picked = all.filter(\.isPicked)
      let only = picked.count == 1 ? picked[0] : picked.isEmpty && all.count == 1 ? all[0] : nil
      if let device = all.first(where: \.isDefault) ?? only { return device }
      throw all.isEmpty ? .noDevice : .noDefault(candidates: (picked.isEmpty ? all : picked).map(\.label))
    }
    if let device = exact(selector) { return device }
    // Nobody gets a UUID or an address by calling himself so.
    if AnnouncedName.isMisleading(selector) { throw .unknownDevice(selector, known: all.map(\.label)) }
    let wanted = selector.lowercased()
    if let device = all.first(where: { $0.name.lowercased() == wanted }) { return device }
    let own = all.filter { $0.friendlyName?.lowercased() == wanted }
    if own.count == 1 { return own[0] }
    // Announcements are not authenticated: prefer the one device that is.
    let proved = own.filter(\.hasProof)
    if proved.count == 1 { return proved[0] }
    let candidates =
      own.isEmpty
      ? all.filter { device in
        [device.name, device.alias, device.friendlyName].contains {
          $0?.lowercased().hasPrefix(wanted) == true
        }
      } : own
    if candidates.count == 1 { return candidates[0] }
    if candidates.count > 1 { throw .ambiguousDevice(selector, candidates: candidates.map(\.label)) }
    throw .unknownDevice(selector, known: all.map(\.label))
  }

  /// By what a person gave, a UUID or an address: all that comes before the names that devices give themselves.
  private func exact(_ selector: String) -> KnownDevice? {
    let wanted = selector.lowercased()
    if let device = all.first(where: { $0.alias?.lowercased() == wanted })
      ?? all.first(where: { $0.isNamed && $0.name.lowercased() == wanted })
    {
      return device
    }
    if let id = Device.normalizedID(selector) { return all.first { $0.uuid == id } }
    return DeviceEndpoint(selector).flatMap(device(at:))
  }

  /// An address that a person gave means the device for which it was given, whoever is announced there. Others are reassigned: prefers
  /// the device last seen there.
  private func device(at endpoint: DeviceEndpoint) -> KnownDevice? {
    all.first { $0.staticEndpoint?.isSame(as: endpoint) == true }
      ?? all.filter { $0.endpoint.isSame(as: endpoint) }.max {
        ($0.lastSeenAt?.milliseconds ?? 0) < ($1.lastSeenAt?.milliseconds ?? 0)
      }
  }
}

extension DeviceEndpoint {
  /// Whether a text is an address of digits, with or without a port: it means what is there, whatever announces itself by it.
  static func isNumeric(_ text: String) -> Bool {
    guard let host = DeviceEndpoint(text)?.host else { return false }
    var (four, six) = (in_addr(), in6_addr())
    return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
  }

  /// Whether a text is a place and no host name alone: an address of digits, or `HOST:PORT`.
  static func isPlace(_ text: String) -> Bool {
    isNumeric(text) || text.utf8.contains(UInt8(ascii: ":")) && DeviceEndpoint(text) != nil
  }

  /// Compares addresses; host names are case-insensitive.
  package func isSame(as other: DeviceEndpoint) -> Bool {
    port == other.port && host.lowercased() == other.host.lowercased()
  }
}
