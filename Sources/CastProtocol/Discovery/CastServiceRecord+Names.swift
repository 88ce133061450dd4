/// The names under which devices are found (protocol 13.1, 13.4).
extension CastServiceRecord {
  /// All Cast devices.
  package static let serviceType: DNSName = "_googlecast._tcp.local"
  /// All kinds of services there are.
  package static let serviceTypes: DNSName = "_services._dns-sd._udp.local"

  /// Devices that can run an application.
  package static func subtype(applicationID: String) -> DNSName {
    DNSName(labels: ["_" + applicationID.uppercased(), "_sub"]).inside(serviceType)
  }

  /// Devices whose running application speaks a namespace.
  ///
  /// - Parameter namespaceHash: SHA-1 of the namespace, 40 hexadecimal digits.
  package static func subtype(namespaceHash: String) -> DNSName {
    DNSName(labels: ["_%" + namespaceHash.uppercased(), "_sub"]).inside(serviceType)
  }

  /// Whether a name is that of an instance: one label before the service type.
  package static func isInstance(_ name: DNSName) -> Bool {
    name.labels.count == serviceType.labels.count + 1 && name.parent == serviceType
  }

  /// The instance of a device: its model and its identity.
  package func instanceName(suffix: String = "") -> DNSName {
    var model = ""
    for character in modelName ?? "Chromecast" {
      let character = character == " " ? "-" : character
      guard model.utf8.count + character.utf8.count <= 20 else { break }
      model.append(character)
    }
    return DNSName(labels: ["\(model)-\(uniqueID)\(suffix)"]).inside(Self.serviceType)
  }

  /// The host of a device: its identity as UUIDs are written.
  package var hostName: DNSName {
    var label = ""
    for (index, digit) in uniqueID.enumerated() {
      if [8, 12, 16, 20].contains(index) { label.append("-") }
      label.append(digit)
    }
    return DNSName(labels: [label, "local"])
  }
}
