import CastqPlaylists
import CastqStore
import Synchronization

/// Who watches which devices. A watcher has one mark for each device, so that a slow one reads the newest status and
/// delays nobody.
final class StatusBoard: Sendable {
  private struct State {
    var watchers: [Int: StatusMarks] = [:]
    var last = 0
    /// Changes that watchers who have gone did not get one by one.
    var dropped = 0
  }

  private let state = Mutex(State())

  /// Marks a device as changed for everybody who watches it. Safe from anywhere; never blocks.
  func note(_ device: DeviceID) {
    for marks in state.withLock({ Array($0.watchers.values) }) { marks.add([device]) }
  }

  /// How many watch, and how many changes they did not get one by one, because the one before was still to be read.
  var counts: (watchers: Int, dropped: Int) {
    state.withLock { state in
      (state.watchers.count, state.watchers.values.reduce(state.dropped) { $0 + $1.dropped })
    }
  }

  /// A new watcher.
  /// - Parameter only: the device to watch; nil watches all.
  func watch(only: DeviceID?) -> StatusMarks {
    state.withLock { state in
      state.last += 1
      let number = state.last
      let marks = StatusMarks(only: only) { [weak self] in
        self?.state.withLock { state in
          state.dropped += state.watchers.removeValue(forKey: number)?.dropped ?? 0
        }
      }
      state.watchers[number] = marks
      return marks
    }
  }
}

/// The devices that have changed since a watcher has read them.
final class StatusMarks: Sendable {
  private let only: DeviceID?
  private let changed = Mutex<Set<DeviceID>>([])
  private let late = Mutex(0)
  private let signal: AsyncStream<Void>
  private let send: AsyncStream<Void>.Continuation

  init(only: DeviceID?, ended: @escaping @Sendable () -> Void) {
    self.only = only
    (signal, send) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    send.onTermination = { _ in ended() }
  }

  /// Marks devices; those that are not watched are passed over.
  func add(_ devices: [DeviceID]) {
    let wanted = devices.filter { only == nil || $0 == only }
    let added = changed.withLock { changed in
      let before = changed.count
      changed.formUnion(wanted)
      return changed.count - before
    }
    if added < wanted.count { late.withLock { $0 += wanted.count - added } }
    if added > 0 { send.yield() }
  }

  /// Changes of devices that were marked already.
  var dropped: Int { late.withLock { $0 } }

  /// Waits for a marked device and removes its mark; nil when the watcher has ended.
  func next() async -> DeviceID? {
    while true {
      if let device = changed.withLock({ $0.popFirst() }) { return device }
      var signals = signal.makeAsyncIterator()
      guard await signals.next() != nil else { return nil }
    }
  }

  /// Ends the watcher.
  func end() { send.finish() }
}
