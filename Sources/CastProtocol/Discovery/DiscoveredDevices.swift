/// The devices as they were told, and in which order. Changes cost what has changed, however many devices there are.
struct DiscoveredDevices: Sendable {
  /// In the order in which they are shown.
  private(set) var list: [Device] = []
  /// By identity.
  private(set) var known: [String: Device] = [:]
  private var byInstance: [DNSName: Device] = [:]
  /// The instances with an identity; seldom more than one.
  private var instances: [String: Set<DNSName>] = [:]

  /// Takes over what has become of some instances.
  /// - Returns: what to tell: first who is lost, then the others in their order.
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

  /// Of two instances with one identity the newer counts: after a conflict of names, or when another device leads a group, the old
  /// one lingers (protocol 13.1, 13.5).
  private func newest(_ id: String, in records: DiscoveredRecords) -> Device? {
    let names = instances[id] ?? []
    let newest = names.max { (records.instances[$0]?.serial ?? 0) < (records.instances[$1]?.serial ?? 0) }
    return newest.flatMap { byInstance[$0] }
  }

  /// By friendly name, capitals or not; where that is the same, by identity.
  static func isOrdered(_ device: Device, before other: Device) -> Bool {
    let (name, otherName) = (device.friendlyName?.lowercased() ?? "", other.friendlyName?.lowercased() ?? "")
    return name == otherName ? device.uniqueID ?? "" < other.uniqueID ?? "" : name < otherName
  }
}
