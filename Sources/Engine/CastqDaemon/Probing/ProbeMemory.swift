import CastqPaths
package import CastqPlaylists
package import CastqStore
package import CastqText
import Glibc

/// Probes local files once for each version of them, and remembers the answers in the database.
package struct ProbeMemory: Sendable {
  private let prober: MediaProber?
  private let store: ProbeStore
  private let executor: StoreExecutor

  /// - Parameter prober: nil without `ffprobe`; then only what is known already is answered.
  package init(_ prober: MediaProber?, _ database: Database) {
    self.prober = prober
    store = ProbeStore(database)
    executor = database.executor
  }

  /// Whether files can be probed.
  package var isAble: Bool { prober != nil }

  /// What is known of a file, without asking.
  package func known(_ file: ProbedFile) throws(StoreError) -> ProbeResult? { try store.result(of: file) }

  /// What a file is made of: remembered, or else probed and remembered. Where the database does not work, the file is probed.
  /// - Parameters:
  ///   - isUrgent: whether a screen waits for the answer.
  ///   - now: the present wall time.
  package func result(
    _ path: String, isUrgent: Bool = false, now: @Sendable () -> WallTime
  ) async throws(MediaProber.Problem) -> ProbeResult {
    guard let file = ProbedFile(path) else { throw .failed("there is no such file") }
    if let known = await executor.quietly({ [store] () throws(StoreError) in try store.result(of: file) }) {
      return known
    }
    guard let prober else { throw .failed("ffprobe is not installed") }
    let result: ProbeResult
    do throws(MediaProber.Problem) { result = .media(try await prober.probe(path, isUrgent: isUrgent)) } catch
    {
      guard case .notMedia(let words) = error else { throw error }
      result = .notMedia(words)
    }
    // What was read while the file changed is of neither version.
    guard ProbedFile(path) == file else { throw .failed("the file changed while it was read") }
    let moment = now()
    _ = await executor.quietly { [store] () throws(StoreError) in
      try store.keep(result, of: file, at: moment)
      return true
    }
    return result
  }
}

extension StoreExecutor {
  /// Nil where the database does not work: what is asked is a memory, which can do without.
  fileprivate func quietly<Value: Sendable>(
    _ work: @escaping @Sendable () throws(StoreError) -> Value?
  ) async -> Value? {
    do throws(StoreError) { return try await run(work) } catch { return nil }
  }
}

extension ProbedFile {
  /// The present version of a file; nil when there is none.
  package init?(_ path: String) {
    var status = stat()
    guard path.utf8.first == UInt8(ascii: "/"), stat(PathText.system(path), &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    let (seconds, isTooLong) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    self.init(
      path: path, size: Int64(status.st_size),
      modified: isTooLong ? Int64(status.st_mtim.tv_sec) : seconds &+ Int64(status.st_mtim.tv_nsec))
  }
}
