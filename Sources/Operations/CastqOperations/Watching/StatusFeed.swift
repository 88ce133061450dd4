package import CastGuard
package import CastProtocol
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
package import CastqText

/// What is heard of the devices: from the daemon, and of those that it does not feed from sessions of our own, while somebody looks.
package actor StatusFeed {
  let global: CallOptions
  package nonisolated let workspace: Workspace
  nonisolated let executor: OperationExecutor
  package nonisolated let orders = OrderMemory()
  private let reader: StatusReader
  /// What was heard of a device last.
  private var heard: [DeviceID: SeenStatus] = [:]
  /// What devices wait for that nobody has a session with, as the daemon says.
  private var outlooks: [DeviceID: Outlook] = [:]
  /// The last status of each device, as it was given.
  private var shown: [DeviceID: ShownStatus] = [:]
  private var interest = WatchInterest.devices([])
  /// Until when devices are followed that somebody has asked for who does not listen, as a page without its script.
  private var visited: [DeviceID: Tick] = [:]
  private var visits: Task<Void, Never>?
  /// The devices that there are.
  private var known: [DeviceID: WatchedDevice] = [:]
  private var send: AsyncStream<WatchNews>.Continuation?
  private var hasDaemon: Bool?
  private var marks: [Int64] = []
  private var lists: [DeviceID: Int64] = [:]
  /// The version of each list that was said last.
  private var said: [DeviceID: Int64] = [:]
  private let plays = ReportedPlays()

  /// Whether pictures have the addresses that devices were given.
  private let hasSecrets: Bool

  /// Time for which a visit has devices followed.
  private static let visitTime = Duration.seconds(60)

  /// - Parameter hasSecrets: whether pictures have the addresses that devices were given; for a face that passes on none of them.
  package init(
    _ global: CallOptions, _ workspace: Workspace, _ executor: OperationExecutor, hasSecrets: Bool = false
  ) {
    self.global = global
    self.hasSecrets = hasSecrets
    self.workspace = workspace
    self.executor = executor
    reader = StatusReader(workspace, global, executor: executor)
  }

  // MARK: - Documents

  /// The status of a device as it was heard last.
  package func document(of name: String) async throws(Failure) -> JSONValue {
    do throws(Failure) {
      let device = try workspace.ask { (here) throws(StoreError) in
        try here.devices.device(matching: name)
      }
      visit([device])
      return try document(device)
    } catch { throw error.shown }
  }

  /// The status of every device as it was heard last.
  package func documents() async throws(Failure) -> JSONValue {
    do throws(Failure) {
      let devices = try workspace.ask { (here) throws(StoreError) in try here.devices.all() }
      visit(devices)
      var all: [JSONValue] = []
      for device in devices { all.append(try document(device)) }
      return ["devices": .array(all)]
    } catch { throw error.shown }
  }

  /// The artwork that the documents name, and whose words its addresses are.
  package func artwork() -> [(address: String, origin: FetchOrigin)] {
    let devices = (try? workspace.devices.all()) ?? []
    let resolvers = Resolvers.rules(global)
    return devices.flatMap { device in
      (try? seen(device))?.pictures(resolvers) ?? []
    }
  }

  private func document(_ device: KnownDevice) throws(Failure) -> JSONValue {
    try seen(device).json(hasSecrets: hasSecrets)
  }

  private func seen(_ device: KnownDevice) throws(Failure) -> ScreenState {
    try workspace.state(of: device, heard[device.id] ?? .unseen(outlooks[device.id]))
  }

  // MARK: - News

  package nonisolated func news(watching watched: AsyncStream<WatchInterest>) -> AsyncStream<WatchNews> {
    AsyncStream { continuation in
      let task = Task(executorPreference: executor) {
        await self.begin(continuation)
        await withTaskGroup(of: Void.self) { group in
          group.addTask { for await news in self.reader.news() { await self.hear(news) } }
          group.addTask { for await interest in watched { await self.look(interest) } }
          group.addTask {
            for await _ in self.workspace.changes() { await self.readRows() }
          }
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func begin(_ continuation: AsyncStream<WatchNews>.Continuation) {
    send = continuation
    known = Self.named((try? workspace.devices.all()) ?? [])
    marks = (try? ScheduleStore(workspace.database).marks()) ?? []
    lists = (try? workspace.queue.fingerprints()) ?? [:]
    var newest = HistoryStore.Filter()
    (newest.limit, newest.order) = (1000, .written)
    _ = plays.news(in: (try? workspace.history.plays(matching: newest)) ?? [])
  }

  /// Says what a device shows, if it is not what was said last.
  private func show(_ device: KnownDevice) {
    guard let document = try? document(device) else { return }
    let status = ShownStatus(document)
    guard shown[device.id]?.says(status) != true else { return }
    shown[device.id] = status
    send?.yield(.status(device: device.inNews, document))
  }

  private func show(_ id: DeviceID) {
    if let device = try? workspace.devices.device(id) { show(device) }
  }

  private func hear(_ news: StatusReader.News) async {
    switch news {
    case .feeder(let boot):
      // What a daemon said that is gone is the last truth, with its age.
      if boot == nil { outlooks = [:] }
      health(boot)
      await follow()
    case .seen(let id, let seen):
      heard[id] = seen
      outlooks[id] = seen.outlook
      show(id)
    case .unseen(let id, let outlook):
      heard[id] = nil
      outlooks[id] = outlook
    }
  }

  private func health(_ boot: String?) {
    guard hasDaemon != (boot != nil) else { return }
    // Since when there is none is not known of one that was never seen.
    let at = hasDaemon == nil && boot == nil ? .null : JSONOutput.time(.now)
    hasDaemon = boot != nil
    send?.yield(
      .health(["daemon": .bool(boot != nil), "at": at, "boot": JSONOutput.text(boot)]))
  }

  private func look(_ interest: WatchInterest) async {
    self.interest = interest
    await follow()
  }

  /// Says which devices somebody looks at.
  private func follow() async {
    guard let devices = try? workspace.devices.all() else { return }
    let now = TimeSource.continuous.now()
    visited = visited.filter { $0.value > now }
    await reader.want(devices.filter { interest.contains($0.inNews) || visited[$0.id] != nil }.map(\.id))
  }

  /// Has devices followed for a while: whoever asks for them once asks again.
  private func visit(_ devices: [KnownDevice]) {
    let end = TimeSource.continuous.now() + Self.visitTime
    for device in devices { visited[device.id] = end }
    visits?.cancel()
    visits = Task(executorPreference: executor) {
      await self.follow()
      guard (try? await TimeSource.continuous.sleep(Self.visitTime)) != nil else { return }
      await self.follow()
    }
  }

  private static func named(_ devices: [KnownDevice]) -> [DeviceID: WatchedDevice] {
    Dictionary(devices.map { ($0.id, $0.inNews) }, uniquingKeysWith: { $1 })
  }

  /// Says that there are other devices, or that they have other names, and what those do under them.
  private func readDevices() {
    guard let devices = try? workspace.devices.all() else { return }
    let now = Self.named(devices)
    guard now != known else { return }
    known = now
    heard = heard.filter { now[$0.key] != nil }
    shown = [:]
    send?.yield(.devices)
    for device in devices where heard[device.id] != nil { show(device) }
  }

  // MARK: - Rows

  /// Says what has changed in the rows.
  package func readRows() async {
    readDevices()
    var filter = HistoryStore.Filter()
    (filter.afterPlay, filter.order) = (plays.settled, .written)
    for play in plays.news(in: (try? workspace.history.plays(matching: filter)) ?? []) {
      send?.yield(.history(JSONOutput.play(play)))
    }
    if let marks = try? ScheduleStore(workspace.database).marks(), marks != self.marks {
      self.marks = marks
      send?.yield(.plan(["at": JSONOutput.time(.now)]))
    }
    guard let lists = try? workspace.queue.fingerprints() else { return await follow() }
    let before = self.lists
    self.lists = lists
    let given = orders.takeGiven()
    for (id, mark) in lists where before[id] != mark || given[id]?.contains(where: { $0 != said[id] }) == true
    {
      guard let device = try? workspace.devices.device(id), let order = try? workspace.queue.order(of: id)
      else { continue }
      said[id] = order.version
      send?.yield(
        .queue(
          device: device.inNews,
          [
            "device": .string(device.label), "version": .integer(order.version),
            "total": .integer(Int64(order.rows.count)),
          ]))
      show(device)
    }
    await follow()
  }
}

extension KnownDevice {
  /// The device with the names by which people ask for it.
  fileprivate var inNews: WatchedDevice {
    WatchedDevice(id: id.rawValue, label: label, names: [name, uuid, "\(endpoint)"].compactMap(\.self))
  }
}
