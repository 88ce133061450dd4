package import NIOCore

/// Which connections are open, and which of them is closed when another one comes at a limit.
///
/// Nothing tells a television from a stranger when it connects but its address. So a connection counts for little until it requests a
/// published file, for more after that, and for most when castq feeds a device at its address. A newcomer takes the place of one that
/// counts for less. Of equals the first to go is of the address with most of them, and there the one that was longest without progress:
/// a player that seeks leaves such connections behind, and a reader of one byte a second is one.
///
/// A new connection has a second to ask for a file before an equal takes its place. Without that a crowd is admitted and closed as fast as it
/// comes, which costs more than to refuse it. Only a stranger takes the place of a stranger at another address at once: it may be a device.
package struct ConnectionPlaces {
  /// The number of a connection, in the order of arrival; never used twice.
  package typealias Number = Int

  package enum Admission: Equatable {
    /// The newcomer's number, and the connection to close for it.
    case admitted(Number, replacing: Number?)
    case refused
  }

  /// What is known of an address: nothing, that it requested a published file, or that a device there is fed.
  private enum Standing: Comparable { case stranger, client, fed }

  private struct Connection {
    let address: String
    let arrival: NIODeadline
    var hasNamedFile = false
    /// A count of steps of all connections, at the last step of this one.
    var progress: Int
  }

  /// The open connections of an address. A crowd is compared at each arrival: what that needs is kept here.
  private struct Holder {
    var standing: Standing
    var open = 0
    /// Those that named no file, the oldest first.
    var silent: [Number] = []
  }

  private let limit: Int
  private let limitPerAddress: Int
  /// How long a new connection may ask for nothing.
  private let patience: TimeAmount
  private var connections: [Number: Connection] = [:]
  /// The addresses with open connections.
  private var holders: [String: Holder] = [:]
  private var steps = 0
  /// Addresses that requested a published file, the latest last; at most `limit`.
  private var clients: [String] = []
  private var isClient: Set<String> = []
  /// Addresses of devices that are fed, with the number of devices at each.
  private var fed: [String: Int] = [:]

  package init(limit: Int, limitPerAddress: Int, patience: TimeAmount = .seconds(1)) {
    self.patience = patience
    self.limit = limit
    self.limitPerAddress = limitPerAddress
  }

  /// A device at this address is fed; several may be.
  package mutating func addDevice(at address: String) {
    fed[address, default: 0] += 1
    renewStanding(of: address)
  }

  package mutating func removeDevice(at address: String) {
    let count = fed[address, default: 0]
    fed[address] = count > 1 ? count - 1 : nil
    renewStanding(of: address)
  }

  package mutating func admit(from address: String, at now: NIODeadline) -> Admission {
    let isFullHere = holders[address]?.open ?? 0 >= limit(of: address)
    var victim: Number?
    if isFullHere || connections.count >= limit {
      guard let found = self.victim(for: address, withinAddress: isFullHere, at: now) else { return .refused }
      remove(found)
      victim = found
    }
    steps += 1
    connections[steps] = Connection(address: address, arrival: now, progress: steps)
    var holder = holders.removeValue(forKey: address) ?? Holder(standing: standing(of: address))
    holder.open += 1
    holder.silent.append(steps)
    holders[address] = holder
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
    holders[connection.address]?.silent.removeAll { $0 == number }
    guard clients.last != connection.address else { return }
    if !isClient.insert(connection.address).inserted { clients.removeAll { $0 == connection.address } }
    clients.append(connection.address)
    renewStanding(of: connection.address)
    guard clients.count > limit else { return }
    let oldest = clients.removeFirst()
    isClient.remove(oldest)
    renewStanding(of: oldest)
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
    guard var holder = holders.removeValue(forKey: connection.address), holder.open > 1 else { return }
    holder.open -= 1
    if !connection.hasNamedFile { holder.silent.removeAll { $0 == number } }
    holders[connection.address] = holder
  }

  private mutating func renewStanding(of address: String) {
    let standing = standing(of: address)
    holders[address]?.standing = standing
  }

  private func standing(of address: String) -> Standing {
    if fed[address] != nil { return .fed }
    return isClient.contains(address) ? .client : .stranger
  }

  /// The connection that counts for least; nil when the newcomer counts for no more than that, or as much and must wait.
  private func victim(for newcomer: String, withinAddress: Bool, at now: NIODeadline) -> Number? {
    let address = withinAddress ? newcomer : nil
    let standing = standing(of: newcomer)
    for lesser in [Standing.stranger, .client] where lesser < standing {
      if let number = silentVictim(of: lesser, at: address) { return number }
    }
    if standing == .fed {
      return stalledVictim(at: address) { $0 != .fed } ?? silentVictim(of: .fed, at: address)
        ?? stalledVictim(at: address) { $0 == .fed }
    }
    guard let equal = silentVictim(of: standing, at: address), let arrival = connections[equal]?.arrival
    else {
      return nil
    }
    if address == nil, standing == .stranger { return equal }
    return now - arrival >= patience ? equal : nil
  }

  /// The oldest connection that named no file, of the address of this standing with most of them.
  private func silentVictim(of standing: Standing, at address: String?) -> Number? {
    if let address {
      return holders[address].flatMap { $0.standing == standing ? $0.silent.first : nil }
    }
    var (victim, most) = (Number?.none, 0)
    for holder in holders.values where holder.standing == standing {
      guard let oldest = holder.silent.first, holder.silent.count >= most else { continue }
      if holder.silent.count > most || oldest < victim ?? .max { victim = oldest }
      most = holder.silent.count
    }
    return victim
  }

  /// The connection that named a file and was longest without progress, of the address with most connections.
  private func stalledVictim(at address: String?, where suits: (Standing) -> Bool) -> Number? {
    let holders = holders.filter { (address == nil || $0.key == address) && suits($0.value.standing) }
    let candidates = connections.filter { $0.value.hasNamedFile && holders[$0.value.address] != nil }
    return candidates.min { one, other in
      let counts = (holders[one.value.address]?.open ?? 0, holders[other.value.address]?.open ?? 0)
      return counts.0 == counts.1 ? one.value.progress < other.value.progress : counts.0 > counts.1
    }?.key
  }
}
