import CastProtocol
import CastqText
import Glibc
import Synchronization

/// Standard output and standard error of the program.
///
/// Writes are unbuffered by default: nothing is lost when the process is killed. What runs for long, and feeds or serves meanwhile, hands
/// its standard error to a `LineWriter`.
package enum StandardStream {
  private static let writer = Mutex<LineWriter?>(nil)
  /// How long the end of the process waits for a reader; nil waits for as long as it takes.
  private static let patience = Mutex<Duration?>(nil)

  /// Has standard error written by a thread of its own from now on. Once per process; later calls change nothing.
  ///
  /// At the end of the process, what waits is written.
  /// - Parameters:
  ///   - patience: how long that may take; nil is as long as it takes, so that a person who reads slowly gets every word.
  ///   - report: the line that says how many lines were dropped.
  package static func begin(patience limit: Duration?, report: @escaping @Sendable (Int) -> String) {
    let isFirst = writer.withLock { writer in
      guard writer == nil else { return false }
      writer = LineWriter(to: STDERR_FILENO, report: report)
      return true
    }
    guard isFirst else { return }
    patience.withLock { $0 = limit }
    atexit { StandardStream.drain(within: StandardStream.patience.withLock { $0 }) }
    CrashDrain.install()
  }

  /// Prints a line on standard error, and adds its end.
  package static func say(_ line: String) {
    if let writer = writer.withLock({ $0 }) { return writer.write(line) }
    _ = write(Array("\(line)\n".utf8), to: STDERR_FILENO)
  }

  /// Redraws the line of progress on standard error.
  package static func redraw(_ text: String) {
    if let writer = writer.withLock({ $0 }) { return writer.redraw(text) }
    _ = write(Array(text.utf8), to: STDERR_FILENO)
  }

  /// Waits until standard error has everything that was said before.
  package static func drain(within patience: Duration? = nil) {
    writer.withLock { $0 }?.drain(within: patience)
  }

  /// Returns when standard error has everything that was said before.
  package static func drained() async { await writer.withLock { $0 }?.drained() }

  /// Writes all of the bytes; returns the error number on failure.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      if written < 0, errno == EAGAIN {
        // Somebody else who has the same terminal made it non-blocking.
        var question = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&question, 1, -1)
        continue
      }
      guard written > 0 else { return errno }
      rest = rest.dropFirst(written)
    }
    return nil
  }

  /// Prints a message on one line of standard error, sanitized and without the secrets of addresses: it may quote playlists, receivers and
  /// servers, and others may read the log.
  package static func sayWords(_ line: String) {
    say(TerminalText.sanitized(AddressText.withoutSecrets(line)))
  }

  /// Prints data on standard output. That nobody reads it any more is no reason to say anything.
  /// - Parameter program: who says that it cannot be written.
  /// - Returns: whether the program may go on: what is cut off must not look complete.
  package static func print(_ text: String, by program: String) -> Bool {
    guard let error = write(Array(text.utf8), to: STDOUT_FILENO), error != EPIPE else { return true }
    sayWords("\(program): cannot write to standard output: \(String(cString: strerror(error)))")
    return false
  }
}
