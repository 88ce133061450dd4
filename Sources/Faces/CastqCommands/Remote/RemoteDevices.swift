import CastProtocol
import CastSender
import CastqDaemon
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqTerminal
import Synchronization

/// Looks for devices as long as the chooser is open, stores those that answer, and hears from the daemon what each one shows.
final class RemoteDevices: Sendable {
  private struct State {
    var isSearching = true
    /// Why there may be none, in words.
    var problem: String?
    /// Those that the database has: read again when some were found, and not for each of hundreds of statuses.
    var rows: [RemoteDevice] = []
    /// What the daemon says of devices.
    var heard = RemoteCasting()
  }

  private let workspace: Workspace
  private let global: CallOptions
  /// One that is shown though the database has it not.
  private let device: KnownDevice?
  private let send: AsyncStream<RemoteEvent>.Continuation
  private let state = Mutex(State())

  /// After so long without an answer, why there may be none is said; the search continues.
  private static let patience = Duration.seconds(5)

  /// - Parameter device: one that is shown though the database has it not.
  init(
    _ global: CallOptions, _ workspace: Workspace, besides device: KnownDevice?,
    send: AsyncStream<RemoteEvent>.Continuation
  ) {
    (self.global, self.workspace, self.device, self.send) = (global, workspace, device, send)
  }

  /// Looks until the task is cancelled.
  func run() async {
    readRows()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.search() }
      group.addTask { await self.listen() }
    }
  }

  private func search() async {
    while !Task.isCancelled {
      let scan = await Discovery.finder().scan(for: Self.patience) { [self] devices in
        keep(devices)
        show { $0.isSearching = true }
        return false
      }
      guard !Task.isCancelled else { return }
      keep(scan.devices)
      show {
        $0.isSearching = false
        $0.problem = Discovery.words(for: scan.problems)
      }
      // Discovery that cannot work returns at once.
      if !scan.problems.isEmpty { try? await TimeSource.continuous.sleep(Self.patience) }
    }
  }

  /// Hears what the daemon says. Nobody is called for a list of devices: what else they announce is in their rows.
  private func listen() async {
    for await news in StatusReader(workspace, global).news() {
      switch news {
      case .seen(let id, let seen):
        guard let device = try? workspace.devices.device(id) else { continue }
        let status = status(of: device, seen)
        show { $0.heard.note(id.rawValue, status) }
      case .unseen(let id, _): show { $0.heard.forget(id.rawValue) }
      case .feeder(nil): show { $0.heard = RemoteCasting() }
      case .feeder: continue
      }
    }
  }

  private func status(of device: KnownDevice, _ seen: SeenStatus) -> RemoteStatus {
    let state =
      (try? workspace.state(of: device, seen))
      ?? ScreenState(device: device, seen: seen, rows: ScreenRows(), hasDaemon: true)
    return RemoteStatus(state, at: TimeSource.continuous.now())
  }

  private func keep(_ devices: [Device]) {
    _ = try? workspace.keep(devices)
    readRows()
  }

  private func readRows() {
    let rows = Self.rows((try? workspace.devices.all()) ?? [], besides: device)
    show { $0.rows = rows }
  }

  private func show(_ change: (inout State) -> Void) {
    // Sent in the lock, so that a list that is older never comes after a newer one.
    state.withLock { state in
      change(&state)
      let rows = state.heard.applied(to: state.rows)
      send.yield(.devices(rows, isSearching: state.isSearching, problem: state.problem))
    }
  }

  /// The devices by their names.
  static func rows(_ devices: [KnownDevice], besides device: KnownDevice?) -> [RemoteDevice] {
    let others = device.map { device in devices.contains { $0.id == device.id } ? [] : [device] } ?? []
    return (devices + others).sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }.map {
      RemoteDevice(
        id: $0.id.rawValue, name: $0.name, status: $0.statusText.flatMap { $0.isEmpty ? nil : $0 },
        isGroup: $0.isGroup)
    }
  }
}
