import CastProtocol
import CastSender
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqTerminal
import CastqText

/// `castq status --all --follow`: every screen in a line that is kept up to date on a terminal; elsewhere a line at each change.
actor StatusWall {
  private struct Seen {
    let status: SeenStatus
    let at: Tick
    /// Nil where the rows could not be read.
    var state: ScreenState?
  }

  private let workspace: Workspace
  private let global: CallOptions
  private let time = TimeSource.continuous
  /// Nil prints a line at each change.
  private let picture: LivePicture?
  private let reader: StatusReader
  /// Nil shows every known device.
  private let chosen: Set<DeviceID>?
  /// Those that are shown, in their order. Rows are read when they change, and not each second for a hundred screens.
  private var devices: [KnownDevice] = []
  private var seen: [DeviceID: Seen] = [:]
  private var printed: [DeviceID: StatusNews] = [:]
  private var last: [String] = []

  init(_ workspace: Workspace, _ global: CallOptions) async throws {
    (self.workspace, self.global) = (workspace, global)
    picture = Console.isTerminal && !global.isMachineReadable ? LivePicture() : nil
    reader = StatusReader(workspace, global)
    var chosen: Set<DeviceID> = []
    for name in try global.expandedDevices() {
      chosen.insert(try await workspace.device(name, adding: false).id)
    }
    self.chosen = chosen.isEmpty ? nil : chosen
  }

  /// Runs until a signal ends it, or nobody reads it.
  func run() async throws {
    try readDevices()
    guard !devices.isEmpty else { throw StatusOverview.noDevice(global) }
    try await untilInterrupted(prints: true) { try await self.follow() }
  }

  private func follow() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [self] in for await news in reader.news() { await hear(news) } }
      group.addTask { [self] in for await _ in workspace.changes() { await readRows() } }
      if picture != nil {
        group.addTask { [self] in
          while true {
            await draw()
            try await time.sleep(.seconds(1))
          }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func readDevices() throws(Failure) {
    devices = try workspace.allDevices().filter { chosen?.contains($0.id) != false }
  }

  private func hear(_ news: StatusReader.News) async {
    switch news {
    // Those that it does not feed are called from here.
    case .feeder: await reader.want(devices.map(\.id))
    case .seen(let id, let status): show(id, status)
    case .unseen(let id, let outlook): show(id, .unseen(outlook))
    }
  }

  private func show(_ id: DeviceID, _ status: SeenStatus) {
    seen[id] = Seen(status: status.untimed, at: time.now())
    guard let device = devices.first(where: { $0.id == id }) else { return }
    read(device)
    if picture == nil { print(id) } else { draw() }
  }

  /// A list, a name or a rule has changed, or there is another device.
  private func readRows() async {
    guard (try? readDevices()) != nil else { return }
    await reader.want(devices.map(\.id))
    devices.forEach(read)
    guard picture == nil else { return draw() }
    // What moves has another position by now, and its changes are heard.
    for device in devices where seen[device.id]?.state?.speed == 0 { print(device.id) }
  }

  private func read(_ device: KnownDevice) {
    guard let status = seen[device.id]?.status else { return }
    seen[device.id]?.state = try? workspace.state(of: device, status)
  }

  private func print(_ id: DeviceID) {
    guard let state = seen[id]?.state else { return }
    let news = printed[id] ?? StatusNews(time: time)
    printed[id] = news
    if news.isNews(state) { Console.print(global.isMachineReadable ? state.json.text : state.line) }
  }

  private func draw() {
    guard let picture else { return }
    let now = time.now()
    let columns = Console.width - 1
    let lines = devices.map { device in
      Terminal.isUnicode
        ? line(device, columns, at: now) : ASCIIText.fitted(columns: columns) { line(device, $0, at: now) }
    }
    guard lines != last else { return }
    last = lines
    picture.show(lines)
  }

  private func line(_ device: KnownDevice, _ columns: Int, at now: Tick) -> String {
    guard let seen = seen[device.id], let state = seen.state else {
      return DisplayWidth.fitted(TerminalText.sanitized("\(device.label): connecting"), columns: columns)
    }
    return state.line(columns: columns, elapsed: now - seen.at, hint: "")
  }
}
