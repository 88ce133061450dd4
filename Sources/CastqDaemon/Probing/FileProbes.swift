package import CastSender
package import CastqCore
import CastqStore
import Synchronization

/// Probes the local files of all feeders of a process: each version once, and few at a time.
package actor FileProbes {
  /// What is known of a file at this moment.
  package enum Known: Sendable, Hashable {
    case result(ProbeResult)
    /// It has not been probed.
    case unknown
    /// It cannot be probed: it is gone, or the program gave no answer in this process.
    case unavailable
  }

  private struct Entry {
    var file: ProbedFile
    var result: ProbeResult?
  }

  /// Files probed at the same time.
  private static let lanes = 2
  /// Files remembered without the database.
  private static let most = 2000

  private let memory: ProbeMemory
  private let time: TimeSource
  private let entries = Mutex<[String: Entry]>([:])
  private var running: [String: Task<Void, Never>] = [:]
  private var listeners: [String: [AsyncStream<Void>.Continuation]] = [:]
  private var free = FileProbes.lanes
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var hasEnded = false

  package init(_ memory: ProbeMemory, time: TimeSource = .continuous) {
    self.memory = memory
    self.time = time
  }

  /// What is known, from memory and the database; call it where the database may be asked.
  package nonisolated func known(_ path: String) -> Known {
    guard let file = ProbedFile(path) else { return .unavailable }
    if let entry = entries.withLock({ $0[path] }), entry.file == file {
      return entry.result.map(Known.result) ?? .unavailable
    }
    let stored: ProbeResult?
    do throws(StoreError) { stored = try memory.known(file) } catch { stored = nil }
    guard let stored else { return memory.isAble ? .unknown : .unavailable }
    remember(stored, of: file)
    return .result(stored)
  }

  /// Probes files, and returns when all of them are known or cannot be, or when the limit is over; then they are still probed.
  package func settle(_ paths: [String], within limit: Duration) async {
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)
    var left = 0
    for path in Set(paths) where begin(path) {
      listeners[path, default: []].append(answer)
      left += 1
    }
    guard left > 0 else { return }
    let alarm = Task { [time] in
      do { try await time.sleep(limit) } catch {}
      answer.finish()
    }
    for await _ in answers {
      left -= 1
      if left == 0 { break }
    }
    alarm.cancel()
    await alarm.value
  }

  /// Ends what is being probed.
  package func end() async {
    hasEnded = true
    for task in running.values { task.cancel() }
    for task in running.values { await task.value }
  }

  /// Whether the file is being probed now.
  private func begin(_ path: String) -> Bool {
    if running[path] != nil { return true }
    guard !hasEnded, case .unknown = remembered(path) else { return false }
    running[path] = Task { await probe(path) }
    return true
  }

  /// What this process knows: the database is asked by the probe itself.
  private func remembered(_ path: String) -> Known {
    guard let file = ProbedFile(path), memory.isAble else { return .unavailable }
    guard let entry = entries.withLock({ $0[path] }), entry.file == file else { return .unknown }
    return entry.result.map(Known.result) ?? .unavailable
  }

  private func probe(_ path: String) async {
    await acquire()
    if !Task.isCancelled, let file = ProbedFile(path) {
      var result: ProbeResult?
      do throws(MediaProber.Problem) {
        result = try await memory.result(path) { [time] in WallTime(milliseconds: time.wallMilliseconds()) }
      } catch {
        result = nil
      }
      if !Task.isCancelled { remember(result, of: file) }
    }
    release()
    running[path] = nil
    for listener in listeners.removeValue(forKey: path) ?? [] { listener.yield() }
  }

  private nonisolated func remember(_ result: ProbeResult?, of file: ProbedFile) {
    entries.withLock { entries in
      if entries.count >= Self.most { entries = [:] }
      entries[file.path] = Entry(file: file, result: result)
    }
  }

  private func acquire() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func release() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
