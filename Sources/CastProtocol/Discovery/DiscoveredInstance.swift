/// What is known of one instance of the service: not yet, or no more, a device.
struct DiscoveredInstance: Sendable {
  /// Who pointed to it: a service, as heard on a link.
  struct Pointer: Sendable, Hashable {
    var service: DNSName
    var link: DiscoveryLink
  }

  /// Where it listens.
  struct Place: Sendable, Hashable {
    var host: DNSName
    var port: UInt16
  }

  /// How often an instance that lacks something is asked for it.
  static let askLimit = 4
  /// The rest of an answer may be on its way in another packet.
  static let patience = Duration.milliseconds(100)

  var pointers: [Pointer: RecordLifetime] = [:]
  var place: (value: Place, life: RecordLifetime)?
  /// What it says of itself, or why that is no Cast device.
  var text: (value: Result<CastServiceRecord, CastServiceRecord.Flaw>, life: RecordLifetime)?
  /// Grows with each instance, and each change of a place: of two instances with one identity the newer counts.
  var serial: Int
  /// Times it was asked for what it lacks.
  var asked = 0
  /// When to ask for what it lacks; nil when nothing is lacking, or asking was in vain.
  var askAt: Tick?
  /// When somebody began to wait for it last.
  var wantedAt: Tick?
  /// Whether it has not told where it is since.
  var isAwaited = false

  init(serial: Int) { self.serial = serial }

  var record: CastServiceRecord? {
    if case .success(let record) = text?.value { record } else { nil }
  }

  var links: Set<DiscoveryLink> { Set(pointers.keys.map(\.link)) }

  /// Whether everything is fresh that says where the device is.
  func isFresh(at now: Tick) -> Bool { place?.life.isFresh(at: now) ?? false }

  /// Whether there is something to ask for.
  func isDue(at now: Tick, isRefreshing: Bool) -> Bool {
    if let askAt, askAt <= now { return true }
    guard isRefreshing else { return false }
    return pointers.values.contains { $0.isRefreshDue(at: now) } || place?.life.isRefreshDue(at: now) == true
      || text?.life.isRefreshDue(at: now) == true
  }

  /// Drops what has expired.
  /// - Returns: whether something has.
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
  /// An address, and the interface it was heard on.
  struct Entry: Sendable, Hashable {
    var address: DeviceAddress
    var interface: String
  }

  /// Addresses one host may have.
  static let addressLimit = 16

  private(set) var addresses: [Entry: RecordLifetime] = [:]

  /// The address to use: one that was not taken back if there is such, then IPv4 (protocol 18.41).
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

  /// Takes an address over.
  /// - Returns: whether it is new, or was taken back before.
  mutating func set(_ entry: Entry, life: RecordLifetime) -> Bool {
    let isNew = addresses[entry].map(\.isDoomed) ?? true
    if addresses[entry] == nil, addresses.count >= Self.addressLimit {
      guard let victim = addresses.first(where: { $0.value.isDoomed })?.key else { return false }
      addresses[victim] = nil
    }
    addresses[entry] = life
    return isNew
  }

  /// An address was taken back.
  mutating func doom(_ entry: Entry, at now: Tick) -> Bool {
    addresses[entry]?.doom(at: now)
    return addresses[entry] != nil
  }

  /// A new list of addresses begins: what was not heard within the last second is of the past (RFC 6762, 10.2).
  /// - Returns: whether there was something of the past.
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

  /// Drops what has expired, and what does not pass.
  /// - Returns: whether something was dropped.
  mutating func expire(at now: Tick, keeping passes: (Entry) -> Bool = { _ in true }) -> Bool {
    guard addresses.contains(where: { $0.value.expires <= now || !passes($0.key) }) else { return false }
    addresses = addresses.filter { $0.value.expires > now && passes($0.key) }
    return true
  }

  func isDue(at now: Tick) -> Bool { addresses.values.contains { $0.isRefreshDue(at: now) } }

  /// Whether one of the addresses is to be asked for again; counts that it was.
  mutating func takeRefresh(at now: Tick) -> Bool {
    var isDue = false
    for entry in addresses.keys {
      if addresses[entry]?.takeRefresh(at: now) == true { isDue = true }
    }
    return isDue
  }
}
