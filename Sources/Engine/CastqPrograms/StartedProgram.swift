import Dispatch
import Glibc
import Synchronization

/// A program that runs beside this one, as a `ProgramLaunch` began it.
public final class StartedProgram: Sendable {
  private let process: pid_t
  private let hasOwnGroup: Bool
  /// Its exit code, from the moment at which its number may be another program's.
  private let code = Mutex<Int32?>(nil)

  init(_ process: pid_t, hasOwnGroup: Bool) {
    (self.process, self.hasOwnGroup) = (process, hasOwnGroup)
  }

  /// Sends it a signal; nothing after it has ended.
  public func signal(_ number: Int32) { send(number, to: process) }

  /// Sends a signal to what it has started, too, where it has a group of its own; nothing after it has ended.
  public func signalGroup(_ number: Int32) { send(number, to: hasOwnGroup ? -process : process) }

  private func send(_ number: Int32, to process: pid_t) {
    code.withLock { if $0 == nil { kill(process, number) } }
  }

  /// Waits until it has ended. Until somebody has waited, the system remembers it.
  /// - Returns: its exit code; 128 and the signal when one ended it.
  public func ending() async -> Int32 {
    await withCheckedContinuation { done in
      DispatchQueue(label: "castq.program").async { done.resume(returning: self.wait()) }
    }
  }

  private func wait() -> Int32 {
    // WNOWAIT keeps the process number reserved, so that a signal never reaches another program.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return code.withLock { code in
      if let code { return code }
      var word: Int32 = 0
      while waitpid(process, &word, 0) < 0, errno == EINTR {}
      let ended = word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
      code = ended
      return ended
    }
  }
}
