import CastSender
import CastqDaemon
import CastqStore
import Foundation
import Synchronization
import Testing

/// How rows of other processes are noticed.
@Suite struct StoreWatcherTests {
  /// Time in which so many checks are made, at once, before the task ends.
  private static func time(checks: Int, before check: @escaping @Sendable (Int) -> Void) -> TimeSource {
    let left = Mutex(checks)
    var source = TimeSource.continuous
    source.sleep = { _ in
      let made = try left.withLock { left in
        guard left > 0 else { throw CancellationError() }
        left -= 1
        return checks - left
      }
      check(made)
    }
    return source
  }

  @Test("a row that was written before the first check is noticed, and each one once")
  func early() async throws {
    let folder = try Stage.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "queue.db").path
    let other = DeviceStore(try Database(path: path))
    let (early, late) = (DeviceEndpoint(host: "192.0.2.1"), DeviceEndpoint(host: "192.0.2.2"))
    let time = Self.time(checks: 5) { check in
      if check == 3 { #expect((try? other.add(name: "late", endpoint: late, at: .today)) != nil) }
    }
    let watcher = StoreWatcher(database: try Database(path: path), time: time)
    // Its task begins when the machine has time for it.
    _ = try other.add(name: "early", endpoint: early, at: .today)
    let changes = Mutex(0)
    await watcher.watch { changes.withLock { $0 += 1 } }
    #expect(changes.withLock { $0 } == 2)
  }
}
