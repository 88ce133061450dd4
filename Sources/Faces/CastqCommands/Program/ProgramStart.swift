import ArgumentParser
import CForeground
import Dispatch

/// How a program begins: with what has to come before its first thread.
package enum ProgramStart {
  /// The commands that may leave a feeder behind.
  private static let leaving: [any ParsableCommand.Type] = [
    CastCommand.self, EnqueueCommand.self, PlayCommand.self, TransferCommand.self,
  ]

  /// Runs a program, which ends the process. It forks for a command that may leave its process behind as a feeder: later there are
  /// threads, and a fork keeps one of them only.
  @MainActor package static func run(_ program: @escaping @Sendable () async -> Void) -> Never {
    foreground_fill_standard_streams()
    if mayLeaveAFeeder(GivenWords.all) { foreground_begin() }
    DispatchLog.silence()
    Task { await program() }
    dispatchMain()
  }

  /// Whether the words after the program's name are such a command, under any of its names.
  static func mayLeaveAFeeder(_ words: [String]) -> Bool {
    guard let name = ArgumentOrder.commandWord(words) else { return false }
    return leaving.contains { CommandWords.names(of: $0).contains(name) }
  }
}
