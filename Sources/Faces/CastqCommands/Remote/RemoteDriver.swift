import CastGuard
import CastProtocol
import CastSender
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqTerminal
import CastqText
import Glibc

/// Drives a `RemoteMachine`: brings it what the terminal, the device and the database report, and does what it decides.
actor RemoteDriver {
  let global: CallOptions
  let workspace: Workspace
  let terminal: Terminal
  let time = TimeSource.continuous
  private var machine: RemoteMachine
  private let inbox: AsyncStream<RemoteEvent>
  let send: AsyncStream<RemoteEvent>.Continuation

  /// The device that is followed; nil before one is chosen.
  var device: KnownDevice?
  private var following: [Task<Void, Never>] = []
  private var searching: Task<Void, Never>?
  private var clock: Task<Void, Never>?
  /// Live commands run one after the other, in the order of the keys.
  var lastCommand: Task<Void, Never>?
  /// The newest status, from which the queue's next entry follows.
  private var seen: (status: SeenStatus, at: Tick)?
  /// What is shown of it.
  private var screen: ScreenState?
  /// The rows as they were read last: a status changes what is next, and no row.
  private var queue: RemoteQueue?
  /// Reads them; nil before a device is chosen.
  private var reader: RemoteRows?
  /// How often the person has changed the rows.
  var edition = 0
  /// Whether the daemon ran when it was looked for last.
  private var hasDaemon = false
  /// How it ends; nil while it does not.
  private var ending: Result<ExitStatus, Failure>?

  /// - Parameter face: what a person chose for it.
  init(
    _ global: CallOptions, _ workspace: Workspace, _ terminal: Terminal, _ face: FaceRules,
    device: KnownDevice?
  ) {
    self.global = global
    self.workspace = workspace
    self.terminal = terminal
    (inbox, send) = AsyncStream.makeStream()
    let size = Terminal.size
    let devices = (try? workspace.devices.all()) ?? []
    machine = RemoteMachine(
      columns: size.columns, rows: size.rows, device: device?.id.rawValue,
      devices: RemoteDevices.rows(devices, besides: device),
      isIntroduced: !face.showsIntroduction || Introduction(workspace).isSeen,
      hasArtwork: Terminal.isUnicode && ArtworkProgram.path != nil,
      signs: Terminal.isUnicode ? .unicode : .ascii)
  }

  /// Runs until the person leaves or a signal ends it.
  /// - Returns: the program's exit status.
  /// - Throws: `device_unknown` when the device is removed from castq.
  func run() async throws(Failure) -> ExitStatus {
    perform(machine.begin())
    let keys = Task { [send, terminal] in
      for await input in terminal.input {
        switch input {
        case .event(let event): send.yield(.terminal(event))
        case .resized:
          let size = Terminal.size
          send.yield(.resized(columns: size.columns, rows: size.rows))
        case .continued:
          terminal.retake()
          let size = Terminal.size
          send.yield(.resized(columns: size.columns, rows: size.rows))
        case .ended(let signal): self.end(.success(signal == SIGINT ? .interrupted : .terminated))
        }
      }
    }
    for await event in inbox {
      perform(machine.handle(event, at: time.now()))
      if ending != nil { break }
    }
    keys.cancel()
    searching?.cancel()
    clock?.cancel()
    following.forEach { $0.cancel() }
    return try (ending ?? .success(.done)).get()
  }

  private func end(_ result: Result<ExitStatus, Failure>) {
    ending = ending ?? result
    send.yield(.woken)
  }

  private func perform(_ actions: [RemoteAction]) {
    for action in actions {
      switch action {
      case .draw: continue
      case .follow(let id): follow(id)
      case .search: search()
      case .stopSearching:
        searching?.cancel()
        searching = nil
      case .perform(let number, let request): start(request, number)
      case .edit(let number, let edit): start(edit, number)
      case .read(let text): read(text)
      case .readAside(let text): readAside(text)
      case .listFiles: send.yield(.files(PlayableFiles.here()))
      case .fetchArtwork(let address, let columns, let rows): fetchArtwork(address, columns, rows)
      case .rememberIntroduction: Introduction(workspace).remember()
      case .suspend: suspend()
      case .synchronise: terminal.synchronise()
      case .quit: ending = .success(.done)
      }
    }
    if actions.contains(.draw) { terminal.show(machine.screen(at: time.now())) }
    wake()
  }

  /// Has the machine handle the time when something on the screen changes by itself.
  private func wake() {
    clock?.cancel()
    guard let wait = machine.nextChange(after: time.now()) else { return }
    clock = Task { [time, send] in
      guard (try? await time.sleep(wait)) != nil else { return }
      send.yield(.woken)
    }
  }

  private func suspend() {
    let terminal = terminal
    terminal.suspend()
    let size = Terminal.size
    send.yield(.resized(columns: size.columns, rows: size.rows))
  }

  // MARK: - Following

  private func follow(_ id: Int64) {
    following.forEach { $0.cancel() }
    (seen, queue) = (nil, nil)
    guard let known = try? workspace.devices.device(DeviceID(id)) ?? device else { return }
    device = known
    try? workspace.devices.pick(known)
    var source = StatusSource(workspace: workspace, device: known, global: global)
    source.onFeeder = { [weak self] isThere in await self?.noteDaemon(isFed: isThere) }
    let (readings, show) = AsyncStream<RemoteRows.Reading>.makeStream()
    let reader = RemoteRows(workspace, known.id, show)
    self.reader = reader
    let rows = Task { for await reading in readings { receive(reading, of: known) } }
    // A person who sees what plays can select what follows.
    edition = 0
    hasDaemon = workspace.hasDaemon
    let first = Task {
      receive(RemoteRows.Reading(queue: await reader.readFirst(), edition: 0), of: known)
    }
    let changes = Task {
      await first.value
      await reader.read(edition)
      for await _ in workspace.changes() {
        readName(of: known.id)
        await readQueue(of: known)
      }
    }
    let status = Task<Void, Never> {
      await first.value
      do {
        try await source.follow { await self.receive($1, from: $0) }
      } catch let failure as Failure where failure.exit == .deviceUnknown {
        lose(known, failure)
      } catch {
        // Cancelled.
      }
    }
    following = [rows, first, changes, status]
  }

  /// Says when the daemon has ended, and when it is back. Another feeder ends with its list, which the status says. A process that dies
  /// is there for a while after its socket.
  private func noteDaemon(isFed: Bool) {
    let isThere = isFed && workspace.hasDaemon
    defer { hasDaemon = isThere }
    switch (hasDaemon, isThere) {
    case (true, false):
      send.yield(
        .note("the daemon does not run; the device is reached without it, and what is planned does not begin")
      )
    case (false, true): send.yield(.note("the daemon runs"))
    default: return
    }
    // What the screen waits for is the daemon, or not any more.
    if let device { showStatus(of: device) }
  }

  /// Ends: there is nothing more to control.
  private func lose(_ known: KnownDevice, _ failure: Failure) {
    guard known.id == device?.id else { return }
    end(.failure(failure))
  }

  private func receive(_ seen: SeenStatus, from known: KnownDevice) {
    guard known.id == device?.id else { return }
    self.seen = (seen, time.now())
    if seen.isFed, !hasDaemon { noteDaemon(isFed: true) }
    showStatus(of: known)
    showNext(of: known)
  }

  /// Shows the name that the device has now. The chooser, while it is open, has the rows read by its search.
  private func readName(of id: DeviceID) {
    guard id == device?.id, searching == nil, let row = try? workspace.devices.device(id),
      row.name != device?.name, let devices = try? workspace.devices.all()
    else { return }
    device = row
    send.yield(.devices(RemoteDevices.rows(devices, besides: row), isSearching: false, problem: nil))
  }

  func readQueue(of known: KnownDevice) async {
    guard known.id == device?.id else { return }
    await reader?.read(edition)
    // What the list waits for may have changed with it.
    if known.id == device?.id, seen != nil { showStatus(of: known) }
  }

  private func showStatus(of known: KnownDevice) {
    guard let (seen, moment) = seen else { return }
    guard let screen = try? workspace.state(of: known, seen) else { return }
    self.screen = screen
    send.yield(
      // A position goes on from the moment at which it was told, whatever else has changed since.
      .status(known.id.rawValue, RemoteStatus(screen, at: moment)))
  }

  private func receive(_ reading: RemoteRows.Reading, of known: KnownDevice) {
    guard known.id == device?.id, reading.edition == edition else { return }
    guard let queue = reading.queue else {
      send.yield(.note("the queue could not be read; castq db check finds out more"))
      return
    }
    self.queue = queue
    showNext(of: known)
  }

  private func showNext(of known: KnownDevice) {
    guard var queue else { return }
    queue.next = (try? workspace.screenRows(known, status: seen?.status.picture?.media))?.next?.rawValue
    // At once: behind a key that waits in the inbox it would be older than what the key does.
    perform(machine.handle(.queue(known.id.rawValue, queue), at: time.now()))
  }

  // MARK: - Devices

  private func search() {
    guard searching == nil else { return }
    let search = RemoteDevices(global, workspace, besides: device, send: send)
    searching = Task { await search.run() }
  }

  private func fetchArtwork(_ address: String, _ columns: Int, _ rows: Int) {
    let named = screen?.pictures(Resolvers.rules(global)).first { $0.address == address }
    let origin = named?.origin ?? .receiver(host: device?.endpoint.host)
    Task { [send, global, workspace] in
      let rule = FetchGuard(origin, allowing: await .showing(address, global, workspace))
      guard let cells = await ArtworkProgram.cells(of: address, under: rule, columns: columns, rows: rows)
      else { return }
      send.yield(.artwork(address, cells))
    }
  }
}
