/// Which connections are open, and which of them is closed when another one comes at a limit.
///
/// Nothing tells a television from a stranger when it connects but its address. So a connection counts for little until it requests a
/// published file, for more after that, and for most when castq feeds a device at its address. A newcomer takes the place of one that
/// counts for less. Of equals the first to go is of the address with most of them, and there the one that was longest without progress:
/// a player that seeks leaves such connections behind, and a reader of one byte a second is one.
package struct ConnectionPlaces {
  /// The number of a connection, in the order of arrival; never used twice.
  package typealias Number = Int

  package enum Admission: Equatable {
    /// The newcomer's number, and the connection to close for it.
    case admitted(Number, replacing: Number?)
    case refused
  }

  /// What is known of an address: nothing, that it requested a published file, or that a device there is fed.
  private enum Standing { case stranger, client, fed }

  private struct Connection {
    let address: String
    var hasNamedFile = false
    /// A count of steps of all connections, at the last step of this one.
    var progress: Int
  }

  private let limit: Int
  private let limitPerAddress: Int
  private var connections: [Number: Connection] = [:]
  /// Open connections of each address.
  private var open: [String: Int] = [:]
  /// Those of them that named no file.
  private var silent: [String: Set<Number>] = [:]
  private var steps = 0
  /// Addresses that requested a published file, the latest last; at most `limit`.
  private var clients: [String] = []
  private var isClient: Set<String> = []
  /// Addresses of devices that are fed, with the number of devices at each.
  private var fed: [String: Int] = [:]

  package init(limit: Int, limitPerAddress: Int) {
    self.limit = limit
    self.limitPerAddress = limitPerAddress
  }

  /// A device at this address is fed; several may be.
  package mutating func addDevice(at address: String) { fed[address, default: 0] += 1 }

  package mutating func removeDevice(at address: String) {
    let count = fed[address, default: 0]
    fed[address] = count > 1 ? count - 1 : nil
  }

  package mutating func admit(from address: String) -> Admission {
    let isFullHere = open[address, default: 0] >= limit(of: address)
    var victim: Number?
    if isFullHere || connections.count >= limit {
      guard let found = self.victim(for: address, withinAddress: isFullHere) else { return .refused }
      remove(found)
      victim = found
    }
    steps += 1
    connections[steps] = Connection(address: address, progress: steps)
    open[address, default: 0] += 1
    silent[address, default: []].insert(steps)
    return .admitted(steps, replacing: victim)
  }

  /// The most connections of an address. Several devices may share one, behind a router or in a group: each adds its own.
  private func limit(of address: String) -> Int {
    let (places, overflows) = limitPerAddress.multipliedReportingOverflow(
      by: max(1, fed[address, default: 0]))
    return overflows ? limit : places
  }

  /// The connection requested a published file by its secret link.
  package mutating func recordNamedFile(_ number: Number) {
    guard let connection = connections[number], !connection.hasNamedFile else { return }
    connections[number]?.hasNamedFile = true
    forgetSilent(number, connection.address)
    guard clients.last != connection.address else { return }
    if !isClient.insert(connection.address).inserted { clients.removeAll { $0 == connection.address } }
    clients.append(connection.address)
    if clients.count > limit { isClient.remove(clients.removeFirst()) }
  }

  /// A piece of a response left for the network, or all of one.
  package mutating func recordProgress(_ number: Number) {
    guard connections[number] != nil else { return }
    steps += 1
    connections[number]?.progress = steps
  }

  /// The connection is closed. Does nothing when it was replaced.
  package mutating func remove(_ number: Number) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    let count = open[connection.address, default: 0]
    open[connection.address] = count > 1 ? count - 1 : nil
    forgetSilent(number, connection.address)
  }

  private mutating func forgetSilent(_ number: Number, _ address: String) {
    silent[address]?.remove(number)
    if silent[address]?.isEmpty == true { silent[address] = nil }
  }

  private func standing(of address: String) -> Standing {
    if fed[address] != nil { return .fed }
    return isClient.contains(address) ? .client : .stranger
  }

  /// The connection that counts for least; nil when the newcomer counts for no more than that.
  private func victim(for newcomer: String, withinAddress: Bool) -> Number? {
    let address = withinAddress ? newcomer : nil
    if let number = silentVictim(of: .stranger, at: address) { return number }
    switch standing(of: newcomer) {
    case .stranger: return nil
    case .client: return silentVictim(of: .client, at: address)
    case .fed:
      return silentVictim(of: .client, at: address) ?? stalledVictim(at: address) { $0 != .fed }
        ?? silentVictim(of: .fed, at: address) ?? stalledVictim(at: address) { $0 == .fed }
    }
  }

  /// The oldest connection that named no file, of the address of this standing with most of them. A crowd meets this rule alone, so it
  /// looks at addresses, and at the connections of one.
  private func silentVictim(of standing: Standing, at address: String?) -> Number? {
    let candidates = silent.filter {
      (address == nil || $0.key == address) && self.standing(of: $0.key) == standing
    }
    let most = candidates.values.map(\.count).max()
    return candidates.values.filter { $0.count == most }.compactMap { $0.min() }.min()
  }

  /// The connection that named a file and was longest without progress, of the address with most connections.
  private func stalledVictim(at address: String?, where suits: (Standing) -> Bool) -> Number? {
    let holders = open.filter { (address == nil || $0.key == address) && suits(standing(of: $0.key)) }
    let candidates = connections.filter { $0.value.hasNamedFile && holders[$0.value.address] != nil }
    return candidates.min { one, other in
      let counts = (holders[one.value.address] ?? 0, holders[other.value.address] ?? 0)
      return counts.0 == counts.1 ? one.value.progress < other.value.progress : counts.0 > counts.1
    }?.key
  }
}
