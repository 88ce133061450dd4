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
  private var steps = 0
  /// Addresses that requested a published file, the latest last; at most `limit`.
  private var clients: [String] = []
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
    let isFullHere = open[address, default: 0] >= limitPerAddress
    var victim: Number?
    if isFullHere || connections.count >= limit {
      guard let found = self.victim(for: address, withinAddress: isFullHere) else { return .refused }
      remove(found)
      victim = found
    }
    steps += 1
    connections[steps] = Connection(address: address, progress: steps)
    open[address, default: 0] += 1
    return .admitted(steps, replacing: victim)
  }

  /// The connection requested a published file by its secret link.
  package mutating func recordNamedFile(_ number: Number) {
    guard let connection = connections[number], !connection.hasNamedFile else { return }
    connections[number]?.hasNamedFile = true
    clients.removeAll { $0 == connection.address }
    clients.append(connection.address)
    if clients.count > limit { clients.removeFirst() }
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
  }

  private func standing(of address: String) -> Standing {
    if fed[address] != nil { return .fed }
    return clients.contains(address) ? .client : .stranger
  }

  /// The connection that counts for least; nil when the newcomer counts for no more than that.
  private func victim(for newcomer: String, withinAddress: Bool) -> Number? {
    let candidates = connections.filter { !withinAddress || $0.value.address == newcomer }
    var silent: [String: Int] = [:]
    for connection in candidates.values where !connection.hasNamedFile {
      silent[connection.address, default: 0] += 1
    }
    // One look for each address, not for each connection: a crowd shall not make the server slow.
    let standings = Dictionary(uniqueKeysWithValues: open.keys.map { ($0, standing(of: $0)) })
    func worth(_ connection: Connection) -> (Int, Int, Int) {
      let count = (connection.hasNamedFile ? open : silent)[connection.address, default: 0]
      let standing = standings[connection.address] ?? .stranger
      return (Self.worth(standing, connection.hasNamedFile), -count, connection.progress)
    }
    guard let least = candidates.min(by: { worth($0.value) < worth($1.value) }) else { return nil }
    let bound =
      switch standing(of: newcomer) {
      case .stranger: Self.worth(.stranger, false)
      case .client: Self.worth(.client, false)
      case .fed: Self.worth(.fed, true)
      }
    return worth(least.value).0 <= bound ? least.key : nil
  }

  private static func worth(_ standing: Standing, _ hasNamedFile: Bool) -> Int {
    switch (standing, hasNamedFile) {
    case (.stranger, false): 0
    case (.client, false): 1
    case (.stranger, true), (.client, true): 2
    case (.fed, false): 3
    case (.fed, true): 4
    }
  }
}
