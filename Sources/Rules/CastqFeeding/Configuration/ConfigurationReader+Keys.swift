package import CastGuard
package import CastqText

/// Single keys of the file, for commands that go by nothing else: what is wrong elsewhere in it does not keep them from working.
extension ConfigurationReader {
  /// What `castq-link` goes by: `link`, and nothing else of the file.
  /// - Returns: without `link`, rules that name nothing.
  package static func readLink(
    _ bytes: [UInt8], file: String
  ) -> Result<LinkRules, ConfigurationError> {
    read(.link, of: bytes, file: file) { reader, node in reader.link(node) }.map { $0 ?? LinkRules() }
  }

  /// What commands go by that name no device: `default_device`, and nothing else of the file.
  /// - Returns: nil without one.
  package static func readDefaultDevice(
    _ bytes: [UInt8], file: String
  ) -> Result<String?, ConfigurationError> {
    read(.defaultDevice, of: bytes, file: file) { reader, node in reader.deviceName(node) }.map { $0 ?? nil }
  }

  /// By whose clocks times are read and shown: `timezone`, and nothing else of the file.
  /// - Returns: nil without one, which is the computer's own zone.
  package static func readSiteZone(
    _ bytes: [UInt8], file: String, zone: @escaping (String) throws(TextError) -> TimeZoneRules
  ) -> Result<ZoneName?, ConfigurationError> {
    read(.timezone, of: bytes, file: file, zone: zone) { reader, node in reader.siteZone(node) }
      .map { $0 ?? nil }
  }

  /// What may be asked whoever names it: `allow_local`, and nothing else of the file.
  package static func readAllowedLocal(
    _ bytes: [UInt8], file: String
  ) -> Result<[LocalPlace], ConfigurationError> {
    read(.allowLocal, of: bytes, file: file) { reader, node in reader.allowedLocal(node) }.map { $0 ?? [] }
  }

  /// The devices that the file gives an address, and nothing else of it: for commands that name one of them.
  package static func readDevices(
    _ bytes: [UInt8], file: String
  ) -> Result<[DaemonConfiguration.Named], ConfigurationError> {
    read(.devices, of: bytes, file: file) { reader, node in reader.addressed(node) }.map { $0 ?? [] }
  }
}
