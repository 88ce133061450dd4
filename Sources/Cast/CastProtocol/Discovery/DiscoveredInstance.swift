/// The known data of one instance of the service, which may not be a complete device.
struct DiscoveredInstance: Sendable {
  /// The source of a pointer to it: a service, as received on a link.
  struct Pointer: Sendable, Hashable {
    var service: DNSName
    var link: DiscoveryLink
  }

  /// Its host and port.
  struct Place: Sendable, Hashable {
    var host: DNSName
    var port: UInt16
  }

  /// Maximum number of queries for the missing data of an instance.
  static let askLimit = 4
  /// Delay for the rest of an answer, which may arrive in another packet.
  static let patience = Duration.milliseconds(100)

  var pointers: [Pointer: RecordLifetime] = [:]
  var place: (value: Place, life: RecordLifetime)?
  /// Its properties, or why it is not a Cast device.
  var text: (value: Result<CastServiceRecord, CastServiceRecord.Flaw>, life: RecordLifetime)?
  /// Increases with each instance, and each change of an address: of two instances with one identity the newer applies.
  var serial: Int
  /// Number of queries for missing data.
  var asked = 0
  /// Time of the next query for missing data; nil when nothing is missing, or queries were unsuccessful.
  var askAt: Tick?
  /// When a caller last started to wait for it.
  var wantedAt: Tick?
  /// Whether it has not announced its endpoint since then.
  var isAwaited = false

  var record: CastServiceRecord? {
    if case .success(let record) = text?.value { record } else { nil }
  }

  var links: Set<DiscoveryLink> { Set(pointers.keys.map(\.link)) }

  /// Whether all records of its endpoint are fresh.
  func isFresh(at now: Tick) -> Bool { place?.life.isFresh(at: now) ?? false }

  /// Whether data is missing.
  func isDue(at now: Tick, isRefreshing: Bool) -> Bool {
    if let askAt, askAt <= now { return true }
    guard isRefreshing else { return false }
    return pointers.values.contains { $0.isRefreshDue(at: now) } || place?.life.isRefreshDue(at: now) == true
      || text?.life.isRefreshDue(at: now) == true
  }

  /// Removes expired records.
  /// - Returns: whether any was removed.
  mutating func expire(at now: Tick) -> Bool {
    var isChanged = false
    if pointers.values.contains(where: { $0.expires <= now }) {
      pointers = pointers.filter { $0.value.expires > now }
      isChanged = true
    }
    if let life = place?.life, life.expires <= now {
      place = nil
      isChanged = true
    }
    if let life = text?.life, life.expires <= now {
      text = nil
      isChanged = true
    }
    return isChanged
  }
}

/// The addresses of one host.
struct DiscoveredHost: Sendable {
  /// An address, and the interface on which it was received.
  struct Entry: Sendable, Hashable {
    var address: DeviceAddress
    var interface: String
  }

  /// Maximum number of addresses per host.
  static let addressLimit = 16

  private(set) var addresses: [Entry: RecordLifetime] = [:]

  /// The address to use: preferably one that was not withdrawn, then IPv4 (protocol 18.41).
  var best: DeviceAddress? {
    let current = addresses.filter { !$0.value.isDoomed }
    return (current.isEmpty ? addresses : current).keys.map(\.address)
      .min { $0.isPreferred(to: $1) }
  }

  var hasIPv4: Bool { addresses.keys.contains { $0.address.isIPv4 } }

  func isFresh(at now: Tick) -> Bool {
    guard let best else { return false }
    return addresses.contains { $0.key.address == best && $0.value.isFresh(at: now) }
  }

  /// Adds an address.
  /// - Returns: whether it is new, or had been withdrawn.
  mutating func set(_ entry: Entry, life: RecordLifetime) -> Bool {
    let isNew = addresses[entry].map(\.isDoomed) ?? true
    if addresses[entry] == nil, addresses.count >= Self.addressLimit {
      guard let victim = addresses.first(where: { $0.value.isDoomed })?.key else { return false }
      addresses[victim] = nil
    }
    addresses[entry] = life
    return isNew
  }

  /// Marks an address as withdrawn.
  mutating func doom(_ entry: Entry, at now: Tick) -> Bool {
    addresses[entry]?.doom(at: now)
    return addresses[entry] != nil
  }

  /// Starts a new list of addresses: those not received within the last second are outdated (RFC 6762, 10.2).
  /// - Returns: whether any was outdated.
  mutating func flush(isIPv4: Bool, interface: String, at now: Tick) -> Bool {
    var isChanged = false
    for (entry, life) in addresses
    where entry.address.isIPv4 == isIPv4 && entry.interface == interface && !life.isDoomed
      && now - life.heard > RecordLifetime.farewell
    {
      addresses[entry]?.doom(at: now)
      isChanged = true
    }
    return isChanged
  }

  /// Removes expired addresses, and those that fail the test.
  /// - Returns: whether any was removed.
  mutating func expire(at now: Tick, keeping passes: (Entry) -> Bool = { _ in true }) -> Bool {
    guard addresses.contains(where: { $0.value.expires <= now || !passes($0.key) }) else { return false }
    addresses = addresses.filter { $0.value.expires > now && passes($0.key) }
    return true
  }

  func isDue(at now: Tick) -> Bool { addresses.values.contains { $0.isRefreshDue(at: now) } }

  /// Whether one of the addresses must be queried again; counts the query.
  mutating func takeRefresh(at now: Tick) -> Bool {
    var isDue = false
    for entry in addresses.keys {
      if addresses[entry]?.takeRefresh(at: now) == true { isDue = true }
    }
    return isDue
  }
}
