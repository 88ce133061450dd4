/// The names under which devices are found (protocol 13.1, 13.4).
extension CastServiceRecord {
  /// All Cast devices.
  package static let serviceType: DNSName = "_googlecast._tcp.local"

  /// Devices that can run an application.
  package static func subtype(applicationID: String) -> DNSName {
    DNSName(labels: ["_" + applicationID.uppercased(), "_sub"]).inside(serviceType)
  }

  /// Devices whose running application supports a namespace.
  ///
  /// - Parameter namespaceHash: SHA-1 of the namespace, 40 hexadecimal digits.
  package static func subtype(namespaceHash: String) -> DNSName {
    DNSName(labels: ["_%" + namespaceHash.uppercased(), "_sub"]).inside(serviceType)
  }

  /// Whether a name is that of an instance: one label before the service type.
  package static func isInstance(_ name: DNSName) -> Bool {
    name.labels.count == serviceType.labels.count + 1 && name.parent == serviceType
  }
}
