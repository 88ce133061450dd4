/// The published devices, in their order. The cost of a change is proportional to the change, not to the number of devices.
struct DiscoveredDevices: Sendable {
  /// In display order.
  private(set) var list: [Device] = []
  /// By identity.
  private(set) var known: [String: Device] = [:]
  private var byInstance: [DNSName: Device] = [:]
  /// The instances with an identity; rarely more than one.
  private var instances: [String: Set<DNSName>] = [:]

  /// Applies changes of instances.
  /// - Returns: the changes to publish: first the lost devices, then the others in order.
  mutating func update(_ names: Set<DNSName>, from records: DiscoveredRecords) -> [DiscoveryMachine.Action] {
    var touched: Set<String> = []
    for name in names {
      let old = byInstance[name]?.uniqueID
      let device = records.instances[name].flatMap { records.device(of: $0) }
      byInstance[name] = device
      if let old {
        touched.insert(old)
        instances[old]?.remove(name)
      }
      if let id = device?.uniqueID {
        touched.insert(id)
        instances[id, default: []].insert(name)
      }
    }
    var lost: [Device] = []
    var others: [(device: Device, isNew: Bool)] = []
    for id in touched {
      let device = newest(id, in: records)
      if device == nil { instances[id] = nil }
      guard device != known[id] else { continue }
      if let old = known[id] { list.removeAll { $0.uniqueID == old.uniqueID } }
      if let device {
        list.insert(device, at: list.firstIndex { Self.isOrdered(device, before: $0) } ?? list.count)
        others.append((device, known[id] == nil))
      } else if let old = known[id] {
        lost.append(old)
      }
      known[id] = device
    }
    return lost.sorted(by: Self.isOrdered).map { .lost($0) }
      + others.sorted { Self.isOrdered($0.device, before: $1.device) }
      .map { $0.isNew ? .found($0.device) : .changed($0.device) }
  }

  /// Of two instances with one identity the newer applies: after a name conflict, or a change of a group's leader, the old one
  /// remains for a while (protocol 13.1, 13.5).
  private func newest(_ id: String, in records: DiscoveredRecords) -> Device? {
    let names = instances[id] ?? []
    let newest = names.max { (records.instances[$0]?.serial ?? 0) < (records.instances[$1]?.serial ?? 0) }
    return newest.flatMap { byInstance[$0] }
  }

  /// By friendly name, ignoring case; then by identity.
  static func isOrdered(_ device: Device, before other: Device) -> Bool {
    let (name, otherName) = (device.friendlyName?.lowercased() ?? "", other.friendlyName?.lowercased() ?? "")
    return name == otherName ? device.uniqueID ?? "" < other.uniqueID ?? "" : name < otherName
  }
}
