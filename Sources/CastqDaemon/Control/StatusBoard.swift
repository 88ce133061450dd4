import CastqCore
import CastqStore
import Synchronization

/// Who watches which devices. A watcher has one mark for each device, so that a slow one reads the newest status and
/// delays nobody.
final class StatusBoard: Sendable {
  private struct State {
    var watchers: [Int: StatusMarks] = [:]
    var last = 0
  }

  private let state = Mutex(State())

  /// Marks a device as changed for everybody who watches it. Safe from anywhere; never blocks.
  func note(_ device: DeviceID) {
    for marks in state.withLock({ Array($0.watchers.values) }) { marks.add([device]) }
  }

  /// A new watcher.
  /// - Parameter only: the device to watch; nil watches all.
  func watch(only: DeviceID?) -> StatusMarks {
    state.withLock { state in
      state.last += 1
      let number = state.last
      let marks = StatusMarks(only: only) { [weak self] in
        self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
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
  private let signal: AsyncStream<Void>
  private let send: AsyncStream<Void>.Continuation

  init(only: DeviceID?, ended: @escaping @Sendable () -> Void) {
    self.only = only
    (signal, send) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    send.onTermination = { _ in ended() }
  }

  /// Marks devices; those that are not watched are passed over.
  func add(_ devices: [DeviceID]) {
    let isNew = changed.withLock { changed in
      let before = changed.count
      changed.formUnion(devices.filter { only == nil || $0 == only })
      return changed.count > before
    }
    if isNew { send.yield() }
  }

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
