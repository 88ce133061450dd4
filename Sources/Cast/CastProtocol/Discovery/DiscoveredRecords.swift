/// All valid records of instances and their hosts.
///
/// Only requested records are accepted: the instances of requested services, their records, and the addresses of their hosts. So
/// other records cannot exhaust the memory, and these are limited by `instanceLimit`.
struct DiscoveredRecords: Sendable {
  /// Maximum number of instances. A complete one is never evicted.
  static let instanceLimit = 512

  /// The result of a received packet.
  struct Findings {
    /// Instances whose device may have changed, appeared or disappeared.
    var changed: Set<DNSName> = []
    /// The latest time for the next check of the records; nil when there is none.
    var wakeAt: Tick?
    var notes: [DiscoveryMachine.Note] = []
    /// Instances that may be evicted, the oldest last; nil until eviction is needed.
    fileprivate var spare: [DNSName]?

    mutating func wake(at tick: Tick?) {
      if let tick { wakeAt = min(wakeAt ?? tick, tick) }
    }
  }

  private(set) var instances: [DNSName: DiscoveredInstance] = [:]
  private(set) var hosts: [DNSName: DiscoveredHost] = [:]
  private var serial = 0
  /// Whether the limit was reported.
  private var isOverfull = false

  /// Number of entries, which must be bounded.
  var count: Int {
    instances.values.reduce(instances.count) { $0 + $1.pointers.count }
      + hosts.values.reduce(hosts.count) { $0 + $1.addresses.count }
  }

  /// Applies the records of a packet, in an order in which each one makes the next one acceptable.
  mutating func take(
    _ message: DNSMessage, askedFor services: [DNSName], on link: DiscoveryLink, at now: Tick
  ) -> Findings {
    var findings = Findings()
    let records = message.answers + message.authorities + message.additionals
    var touched: Set<DNSName> = []
    for record in records {
      if case .ptr(let name) = record.data, services.contains(record.name), CastServiceRecord.isInstance(name)
      {
        touched.insert(name)
        takePointer(record, to: name, on: link, at: now, &findings)
      }
    }
    for record in records where instances[record.name] != nil {
      touched.insert(record.name)
      switch record.data {
      case .srv(_, _, let port, let target):
        takePlace(record, .init(host: target, port: port), at: now, &findings)
      case .txt(let strings): takeText(record, strings, at: now, &findings)
      case .a, .aaaa, .ptr, .other: break
      }
    }
    // Hosts without instances are removed periodically.
    if hosts.count > instances.count + Self.instanceLimit / 8 { sweepHosts() }
    var changedHosts: Set<DNSName> = []
    for record in records where hosts[record.name] != nil {
      if takeAddress(record, on: link, at: now, &findings) { changedHosts.insert(record.name) }
    }
    findings.changed.formUnion(instances(on: changedHosts))
    for name in touched { planQuestions(about: name, at: now, &findings) }
    return findings
  }

  private func instances(on hosts: Set<DNSName>) -> [DNSName] {
    guard !hosts.isEmpty else { return [] }
    return instances.filter { $0.value.place.map { hosts.contains($0.value.host) } ?? false }.map(\.key)
  }

  private mutating func takePointer(
    _ record: DNSRecord, to name: DNSName, on link: DiscoveryLink, at now: Tick, _ findings: inout Findings
  ) {
    let pointer = DiscoveredInstance.Pointer(service: record.name, link: link)
    let life = RecordLifetime(seconds: record.timeToLive, at: now)
    guard record.timeToLive > 0 else {
      // A withdrawal applies to both address families: one of the two may have been lost.
      for key in instances[name]?.pointers.keys.map({ $0 }) ?? []
      where key.service == record.name && key.link.interface == link.interface {
        instances[name]?.pointers[key]?.doom(at: now)
        findings.wake(at: instances[name]?.pointers[key]?.expires)
      }
      return
    }
    if instances[name] == nil {
      guard makeRoom(&findings) else { return }
      serial += 1
      instances[name] = DiscoveredInstance(serial: serial)
    }
    if instances[name]?.pointers.updateValue(life, forKey: pointer) == nil { findings.changed.insert(name) }
    findings.wake(at: life.nextRefresh)
  }

  /// Evicts an incomplete instance when there are too many.
  private mutating func makeRoom(_ findings: inout Findings) -> Bool {
    guard instances.count >= Self.instanceLimit else {
      isOverfull = false
      return true
    }
    var spare =
      findings.spare
      ?? instances.filter { !isComplete($0.value) }.sorted { $0.value.serial > $1.value.serial }.map(\.key)
    let victim = spare.popLast()
    findings.spare = spare
    guard let victim else {
      if !isOverfull { findings.notes.append(.tooManyDevices) }
      isOverfull = true
      return false
    }
    instances[victim] = nil
    findings.changed.insert(victim)
    return true
  }

  private mutating func takePlace(
    _ record: DNSRecord, _ place: DiscoveredInstance.Place, at now: Tick, _ findings: inout Findings
  ) {
    guard place.port > 0 else { return }
    guard record.timeToLive > 0 else {
      guard instances[record.name]?.place?.value == place else { return }
      instances[record.name]?.place?.life.doom(at: now)
      return findings.wake(at: instances[record.name]?.place?.life.expires)
    }
    if instances[record.name]?.place?.value != place {
      serial += 1
      instances[record.name]?.serial = serial
      instances[record.name]?.asked = 0
      findings.changed.insert(record.name)
      if hosts[place.host] == nil { hosts[place.host] = DiscoveredHost() }
    }
    let life = RecordLifetime(seconds: record.timeToLive, at: now)
    instances[record.name]?.place = (place, life)
    findings.wake(at: life.nextRefresh)
  }

  private mutating func takeText(
    _ record: DNSRecord, _ strings: [[UInt8]], at now: Tick, _ findings: inout Findings
  ) {
    guard record.timeToLive > 0 else {
      instances[record.name]?.text?.life.doom(at: now)
      return findings.wake(at: instances[record.name]?.text?.life.expires)
    }
    let value: Result<CastServiceRecord, CastServiceRecord.Flaw>
    do {
      value = .success(try CastServiceRecord(strings: strings))
    } catch {
      value = .failure(error)
      if instances[record.name]?.text?.value != value { findings.notes.append(.noDevice(record.name, error)) }
    }
    if instances[record.name]?.text?.value != value { findings.changed.insert(record.name) }
    let life = RecordLifetime(seconds: record.timeToLive, at: now)
    instances[record.name]?.text = (value, life)
    findings.wake(at: life.nextRefresh)
  }

  private mutating func takeAddress(
    _ record: DNSRecord, on link: DiscoveryLink, at now: Tick, _ findings: inout Findings
  ) -> Bool {
    // A remote host must not direct senders to this computer.
    guard let address = DeviceAddress(record.data, interface: link.interface),
      link.isLoopback || !address.isLoopback
    else { return false }
    let entry = DiscoveredHost.Entry(address: address, interface: link.interface)
    let life = RecordLifetime(seconds: record.timeToLive, at: now)
    guard record.timeToLive > 0 else {
      findings.wake(at: now + RecordLifetime.farewell)
      return hosts[record.name]?.doom(entry, at: now) ?? false
    }
    var isChanged = false
    if record.flushesCache,
      hosts[record.name]?.flush(isIPv4: address.isIPv4, interface: link.interface, at: now) == true
    {
      isChanged = true
      findings.wake(at: now + RecordLifetime.farewell)
    }
    findings.wake(at: life.nextRefresh)
    return hosts[record.name]?.set(entry, life: life) == true || isChanged
  }
}

extension DiscoveredRecords {
  /// Removes expired records, and instances without pointers.
  /// - Returns: instances whose device may have changed or disappeared.
  mutating func expire(at now: Tick) -> Set<DNSName> {
    drop(at: now, keepingService: { _ in true }, interface: { _ in true })
  }

  /// Removes records that were received on removed interfaces.
  mutating func keep(interfaces: Set<String>, at now: Tick) -> Set<DNSName> {
    drop(at: now, keepingService: { _ in true }, interface: { interfaces.contains($0) })
  }

  /// Removes records that are no longer requested.
  mutating func keep(services: [DNSName], at now: Tick) -> Set<DNSName> {
    drop(at: now, keepingService: { services.contains($0) }, interface: { _ in true })
  }

  private mutating func drop(
    at now: Tick, keepingService isAsked: (DNSName) -> Bool, interface isThere: (String) -> Bool
  ) -> Set<DNSName> {
    var changed: Set<DNSName> = []
    for name in instances.keys.map({ $0 }) {
      if instances[name]?.expire(at: now) == true { changed.insert(name) }
      if let pointers = instances[name]?.pointers {
        let kept = pointers.filter { isAsked($0.key.service) && isThere($0.key.link.interface) }
        if kept.count != pointers.count { instances[name]?.pointers = kept }
        if kept.isEmpty {
          instances[name] = nil
          changed.insert(name)
        }
      }
    }
    var changedHosts: Set<DNSName> = []
    for name in hosts.keys.map({ $0 }) {
      if hosts[name]?.expire(at: now, keeping: { isThere($0.interface) }) == true {
        changedHosts.insert(name)
      }
    }
    changed.formUnion(instances(on: changedHosts))
    if !changed.isEmpty { sweepHosts() }
    return changed
  }

  /// Removes hosts without instances.
  private mutating func sweepHosts() {
    let named = Set(instances.values.compactMap { $0.place?.value.host })
    if hosts.count > named.count { hosts = hosts.filter { named.contains($0.key) } }
  }

  /// Applies changes to the pending queries of an instance.
  mutating func update(_ name: DNSName, _ change: (inout DiscoveredInstance, inout DiscoveredHost?) -> Void) {
    guard var instance = instances.removeValue(forKey: name) else { return }
    let host = instance.place?.value.host
    var addresses = host.flatMap { hosts[$0] }
    change(&instance, &addresses)
    instances[name] = instance
    if let host { hosts[host] = addresses }
  }
}
