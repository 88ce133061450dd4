package import CastqFeeding
package import CastqPlaylists
package import CastqStore

/// What the queues play next, for which prepared files must stay.
package struct PreparedNeeds: Sendable {
  /// Entries of each device that count as next.
  package static let ahead = 50

  private let database: Database
  private let probes: ProbeMemory
  private let configuration: DaemonConfiguration

  package init(_ database: Database, probes: ProbeMemory, configuration: DaemonConfiguration) {
    self.database = database
    self.probes = probes
    self.configuration = configuration
  }

  /// What a device with these rules plays.
  func media(by rules: PlayRules) -> DeviceMedia { DeviceMedia(rules: rules, probes: probes) }

  /// What a device plays.
  package func media(for device: KnownDevice) -> DeviceMedia {
    DeviceMedia(
      rules: PlayRules(device, model: configuration.rules(for: device.names).playsAs), probes: probes)
  }

  /// The entries that a device plays now and next, from the one on the screen on; those before it follow where the list repeats.
  package func drafts(of device: KnownDevice) throws(StoreError) -> [EntryDraft] {
    let entries = try QueueStore(database).entries(for: device.id)
    let first = entries.firstIndex { $0.state == .playing } ?? entries.firstIndex { $0.state.isAhead } ?? 0
    let turned = entries[first...] + entries[..<first]
    let isRepeated = try QueueStore(database).settings(for: device.id).repeatMode != .off
    return Array(turned.filter { isRepeated || $0.state.isAhead }.prefix(Self.ahead).map(\.draft))
  }

  /// The same on the database's own thread; none where it cannot be read, because the files can be made again.
  func storedNames() async -> Set<String> {
    do throws(StoreError) {
      return try await database.executor.run { () throws(StoreError) in try names() }
    } catch {
      return []
    }
  }

  /// The names of prepared files of all devices. Those whose files were never read have none.
  package func names() throws(StoreError) -> Set<String> {
    var names: Set<String> = []
    for device in try DeviceStore(database).all() {
      let media = media(for: device)
      for draft in try drafts(of: device) {
        guard case .decided(let examined)? = media.known(draft), let recipe = examined.decision.recipe else {
          continue
        }
        if let name = PreparedFolder.name(of: examined.file, recipe) { names.insert(name) }
      }
    }
    return names
  }
}

extension EntryState {
  /// Whether it is on the screen, or is still to come in this round.
  fileprivate var isAhead: Bool {
    switch self {
    case .pending, .offered, .queued, .playing: true
    case .finished, .failed, .skipped, .interrupted, .cancelled: false
    }
  }
}
