import CastqText
import Synchronization
import UnixSignals

/// Runs an endless body until SIGINT or SIGTERM, and exits with that signal's code.
/// - Parameter prints: whether the body only prints: it ends, with exit code 0, when nobody reads standard output any more.
func untilInterrupted(
  prints: Bool = false, _ body: @escaping @Sendable () async throws -> Void
) async throws {
  let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
  try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
    group.addTask {
      try await body()
      return nil
    }
    group.addTask {
      for await signal in signals { return signal == .sigint ? .interrupted : .terminated }
      return nil
    }
    if prints {
      group.addTask { await Console.readerEnded() ? .done : nil }
    }
    defer { group.cancelAll() }
    while let status = try await group.next() {
      guard let status else { continue }
      throw Silent(exit: status)
    }
  }
}

/// The last line shown, so that no line is shown twice in a row.
final class LastLine: Sendable {
  private let line = Mutex("")

  /// Stores the text; true when it differs from the last one.
  func changes(to text: String) -> Bool {
    line.withLock { line in
      defer { line = text }
      return line != text
    }
  }
}
