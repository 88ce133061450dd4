import CastqCore
import Glibc

/// Output: data goes to stdout, messages go to stderr, unbuffered.
enum LinkOutput {
  /// Prints one line of data. A write error ends the program, so that a truncated report does not look complete.
  static func print(_ line: String) {
    guard let error = write(line + "\n", to: STDOUT_FILENO), error != EPIPE else { return }
    say("castq-link: cannot write to standard output: \(String(cString: strerror(error)))")
    Glibc.exit(ExitStatus.inputOutput.rawValue)
  }

  /// Prints a message on one line, without control characters: it may quote titles and servers.
  static func say(_ line: String) { _ = write(TerminalText.sanitized(line) + "\n", to: STDERR_FILENO) }

  /// Writes all of the text; returns the error number on failure.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var bytes = ArraySlice(text.utf8)
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR || errno == EAGAIN { continue }
      guard written > 0 else { return errno }
      bytes = bytes.dropFirst(written)
    }
    return nil
  }
}
