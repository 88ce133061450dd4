import CastProtocol
import CastSender
import CastqCore
import CastqDaemon
import CastqStore
import CastqDocuments

/// What is heard of the devices: from the daemon, and of those that it does not feed from sessions of our own, while somebody looks.
actor StatusFeed {
  /// What was heard of a device last.
  private struct Heard {
    var picture: StatusPicture?
    var connection: String
    var outlook: Outlook?
    var at: WallTime
    /// Whether the daemon said it.
    var isFed: Bool
  }

  let global: GlobalOptions
  let workspace: Workspace
  nonisolated let executor: CommandExecutor
  private var heard: [DeviceID: Heard] = [:]
  /// What devices wait for that the daemon does not feed now, as it says: a guest, for instance.
  private var outlooks: [DeviceID: Outlook] = [:]
  /// The last status of each device, as it was given.
  private var shown: [DeviceID: ShownStatus] = [:]
  private var interest = WebInterest.devices([])
  private var followers: [DeviceID: Task<Void, Never>] = [:]
  private var send: AsyncStream<WebNews>.Continuation?
  private var hasDaemon: Bool?
  private var boot: String?
  private var marks: [Int64] = []
  private var lists: [DeviceID: Int64] = [:]
  private let plays = ReportedPlays()

  /// Sessions of our own at a time.
  private static let mostFollowers = 64

  init(_ global: GlobalOptions, _ workspace: Workspace, _ executor: CommandExecutor) {
    self.global = global
    self.workspace = workspace
    self.executor = executor
  }

  // MARK: - Documents

  /// The status of a device as it was heard last.
  func document(of name: String) async throws(ControlFailure) -> JSONValue {
    do throws(Failure) {
      let device = try workspace.ask { (here) throws(StoreError) in
        try here.devices.device(matching: name)
      }
      return try document(device)
    } catch { throw WebDesk.failure(error) }
  }

  /// The status of every device as it was heard last.
  func documents() async throws(ControlFailure) -> JSONValue {
    do throws(Failure) {
      let devices = try workspace.ask { (here) throws(StoreError) in try here.devices.all() }
      var all: [JSONValue] = []
      for device in devices { all.append(try document(device)) }
      return ["devices": .array(all)]
    } catch { throw WebDesk.failure(error) }
  }

  /// Addresses of the artwork that the documents name.
  func artwork() -> [String] {
    let devices = (try? workspace.devices.all()) ?? []
    return devices.compactMap { (try? document($0))?["image"]?.string }
  }

  private func document(_ device: KnownDevice) throws(Failure) -> JSONValue {
    let heard = heard[device.id]
    var document = StatusDocument(
      device: device, picture: heard?.picture,
      queue: try workspace.queuePicture(device, status: heard?.picture?.media))
    document.connection = heard?.connection ?? "connecting"
    document.at = heard?.at
    if !document.isOfQueue {
      if let outlook = heard?.outlook ?? outlooks[device.id] {
        document.outlook = outlook
      } else {
        document.outlook = try workspace.outlookOfRows(device)
      }
    }
    return document.json
  }

  // MARK: - News

  nonisolated func news(watching watched: AsyncStream<WebInterest>) -> AsyncStream<WebNews> {
    AsyncStream { continuation in
      let task = Task(executorPreference: executor) {
        await self.begin(continuation)
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await self.watchDaemon() }
          group.addTask { for await interest in watched { await self.look(interest) } }
          group.addTask {
            for await _ in self.workspace.changes() { await self.readRows() }
          }
        }
        await self.end()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func begin(_ continuation: AsyncStream<WebNews>.Continuation) {
    send = continuation
    marks = (try? ScheduleStore(workspace.database).marks()) ?? []
    lists = (try? workspace.queue.fingerprints()) ?? [:]
    var newest = HistoryStore.Filter()
    newest.limit = 1000
    _ = plays.news(in: (try? workspace.history.plays(matching: newest)) ?? [])
  }

  private func end() {
    for task in followers.values { task.cancel() }
    followers = [:]
  }

  /// Says what a device shows, if it is not what was said last.
  private func show(_ device: KnownDevice) {
    guard let document = try? document(device) else { return }
    let status = ShownStatus(document)
    guard shown[device.id]?.says(status) != true else { return }
    shown[device.id] = status
    send?.yield(.status(device: device.label, document))
  }

  private func show(_ id: DeviceID) {
    if let device = try? workspace.devices.device(id) { show(device) }
  }

  // MARK: - The daemon

  private func watchDaemon() async {
    while !Task.isCancelled {
      if let socket = DatabaseLock.holder(.daemon, of: workspace.database)?.socket,
        let replies = try? await ControlClient(socket: socket, device: DeviceID(0)).watch()
      {
        do {
          for try await reply in replies { hear(reply) }
        } catch {
          // It is gone, or does not know the command.
        }
      }
      lose()
      guard (try? await TimeSource.continuous.sleep(.milliseconds(500))) != nil else { return }
    }
  }

  private func hear(_ reply: JSONValue) {
    if let boot = reply["boot"]?.string {
      self.boot = boot
      return health(true)
    }
    guard let number = reply["device"]?.int else { return }
    let id = DeviceID(Int64(number))
    outlooks[id] = reply["outlook"].map { Outlook(json: $0) }
    // A feeder with nothing to show has no session: the screen is looked at as one that nobody feeds.
    let isIdle =
      reply["connection"]?.string != "connected"
      && [.nothingDue, .notBefore, .quietHours, .stopped].contains(outlooks[id]?.reason)
    guard reply["feeding"]?.bool == true, !isIdle else {
      if heard[id]?.isFed == true { heard[id] = nil }
      return follow()
    }
    followers.removeValue(forKey: id)?.cancel()
    let connection = reply["connection"]?.string ?? "connected"
    heard[id] = Heard(
      picture: connection == "connected" ? StatusPicture(reply: reply) : nil, connection: connection,
      outlook: reply["outlook"].map { Outlook(json: $0) },
      at: reply["at"]?.string.flatMap { try? RFC3339.parse($0) } ?? .now, isFed: true)
    show(id)
  }

  /// The daemon is gone: what it said is the last truth, with its age.
  private func lose() {
    outlooks = [:]
    health(false)
    guard heard.values.contains(where: \.isFed) else { return follow() }
    for id in heard.keys where heard[id]?.isFed == true { heard[id]?.isFed = false }
    follow()
  }

  private func health(_ isThere: Bool) {
    guard hasDaemon != isThere else { return }
    hasDaemon = isThere
    send?.yield(
      .health([
        "daemon": .bool(isThere), "at": JSONOutput.time(.now), "boot": JSONOutput.text(isThere ? boot : nil),
      ]))
  }

  // MARK: - Devices that nobody feeds

  private func look(_ interest: WebInterest) {
    self.interest = interest
    follow()
  }

  /// Begins sessions with the devices that somebody looks at and no daemon feeds, and ends those with others.
  private func follow() {
    guard let devices = try? workspace.devices.all() else { return }
    let wanted = devices.filter { interest.contains($0.label) && heard[$0.id]?.isFed != true }
    let ids = Set(wanted.map(\.id))
    for (id, task) in followers where !ids.contains(id) {
      task.cancel()
      followers[id] = nil
      heard[id] = nil
      shown[id] = nil
    }
    for device in wanted where followers[device.id] == nil && followers.count < Self.mostFollowers {
      followers[device.id] = Task(executorPreference: executor) { await self.follow(device) }
    }
  }

  private func follow(_ device: KnownDevice) async {
    let follower = StatusFollower(
      call: DeviceCall(device, in: workspace, global), options: DeviceCall.observing(global))
    try? await follower.follow { picture in await self.hear(picture, of: device.id) }
  }

  private func hear(_ picture: StatusPicture?, of id: DeviceID) {
    guard heard[id]?.isFed != true, followers[id] != nil else { return }
    heard[id] = Heard(
      picture: picture, connection: picture == nil ? "offline" : "connected", outlook: nil, at: .now,
      isFed: false)
    show(id)
  }

  // MARK: - Rows

  /// Says what has changed in the rows.
  func readRows() {
    var filter = HistoryStore.Filter()
    filter.afterPlay = plays.settled
    for play in plays.news(in: (try? workspace.history.plays(matching: filter)) ?? []) {
      send?.yield(.history(JSONOutput.play(play)))
    }
    if let marks = try? ScheduleStore(workspace.database).marks(), marks != self.marks {
      self.marks = marks
      send?.yield(.plan(["at": JSONOutput.time(.now)]))
    }
    guard let lists = try? workspace.queue.fingerprints(), lists != self.lists else { return follow() }
    let before = self.lists
    self.lists = lists
    for (id, mark) in lists where before[id] != mark {
      guard let device = try? workspace.devices.device(id), let order = try? workspace.queue.order(of: id)
      else {
        continue
      }
      send?.yield(
        .queue(
          device: device.label,
          [
            "device": .string(device.label), "version": .integer(order.version),
            "total": .integer(Int64(order.rows.count)),
          ]))
      show(device)
    }
    follow()
  }
}
