import CastProtocol
package import CastSender
package import CastqPlaylists
import CastqStore
import CastqText
import Synchronization

/// Probes the local files of all feeders of a process: each version once, and few at a time.
package actor FileProbes {
  /// What is known of a file at this moment.
  package enum Known: Sendable, Hashable {
    case result(ProbeResult)
    /// It has not been probed.
    case unknown
    /// It cannot be probed: it is gone, or the program gave no answer a short time ago.
    case unavailable
  }

  private struct Entry {
    var file: ProbedFile
    /// Nil when the program gave no answer.
    var result: ProbeResult?
    /// When that was known.
    var at: Tick
  }

  /// How long a program that gave no answer for a file is not asked for it: it may want memory that is there again later.
  private static let rest = Duration.seconds(600)

  /// Files remembered without the database.
  private static let most = 2000

  private let memory: ProbeMemory
  private let time: TimeSource
  private let entries = Mutex<[String: Entry]>([:])
  private struct Run: Hashable {
    var path: String
    var isUrgent: Bool
  }

  private var running: [Run: Task<Void, Never>] = [:]
  private var listeners: [String: [AsyncStream<Void>.Continuation]] = [:]
  /// Files probed at the same time.
  private let lanes = Slots(2)
  private var hasEnded = false

  package init(_ memory: ProbeMemory, time: TimeSource = .continuous) {
    self.memory = memory
    self.time = time
  }

  /// What is known, from memory and the database; call it where the database may be asked.
  package nonisolated func known(_ path: String) -> Known {
    guard let file = ProbedFile(path) else { return .unavailable }
    if let entry = entries.withLock({ $0[path] }), entry.file == file, !isOver(entry) {
      return entry.result.map(Known.result) ?? .unavailable
    }
    let stored: ProbeResult?
    do throws(StoreError) { stored = try memory.known(file) } catch { stored = nil }
    guard let stored else { return memory.isAble ? .unknown : .unavailable }
    remember(stored, of: file)
    return .result(stored)
  }

  /// Probes files, and returns when all of them are known or cannot be, or when the limit is over; then they are still probed.
  /// - Parameter isUrgent: whether a screen waits for them: then they stand in no line, and are asked for again where they are being probed
  ///   without haste.
  package func settle(_ paths: [String], within limit: Duration, isUrgent: Bool = false) async {
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)
    var left = 0
    for path in Set(paths) where begin(path, isUrgent) {
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
  private func begin(_ path: String, _ isUrgent: Bool) -> Bool {
    if running[Run(path: path, isUrgent: true)] != nil { return true }
    let run = Run(path: path, isUrgent: isUrgent)
    if running[run] != nil { return true }
    guard !hasEnded, case .unknown = remembered(path) else { return false }
    running[run] = Task { await probe(run) }
    return true
  }

  /// What this process knows: the database is asked by the probe itself.
  private func remembered(_ path: String) -> Known {
    guard let file = ProbedFile(path), memory.isAble else { return .unavailable }
    guard let entry = entries.withLock({ $0[path] }), entry.file == file, !isOver(entry) else {
      return .unknown
    }
    return entry.result.map(Known.result) ?? .unavailable
  }

  /// Whether a failure is so old that the program may be asked again.
  private nonisolated func isOver(_ entry: Entry) -> Bool {
    entry.result == nil && time.now() - entry.at >= Self.rest
  }

  private func probe(_ run: Run) async {
    let path = run.path
    if !run.isUrgent { await lanes.enter() }
    let file = Task.isCancelled ? nil : ProbedFile(path)
    var result: ProbeResult?
    if file != nil {
      do throws(MediaProber.Problem) {
        result = try await memory.result(path, isUrgent: run.isUrgent) { [time] in
          WallTime(milliseconds: time.wallMilliseconds())
        }
      } catch {
        result = nil
      }
    }
    if !run.isUrgent { lanes.leave() }
    running[run] = nil
    // One without haste may have run out of time while the other one goes on.
    guard result != nil || !running.keys.contains(where: { $0.path == path }) else { return }
    if !Task.isCancelled, let file { remember(result, of: file) }
    for listener in listeners.removeValue(forKey: path) ?? [] { listener.yield() }
  }

  private nonisolated func remember(_ result: ProbeResult?, of file: ProbedFile) {
    entries.withLock { entries in
      // Of two that were asked, the second one may have had no time.
      if result == nil, let known = entries[file.path], known.file == file, known.result != nil { return }
      if entries.count >= Self.most { entries = [:] }
      entries[file.path] = Entry(file: file, result: result, at: time.now())
    }
  }
}
