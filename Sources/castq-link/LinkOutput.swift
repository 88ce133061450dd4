import CastProtocol
import CastqCore
import CastqOutput
import Glibc

/// Output: data goes to stdout, messages go to stderr, unbuffered.
enum LinkOutput {
  /// Prints one line of data. A write error ends the program, so that a truncated report does not look complete.
  static func print(_ line: String) {
    guard let error = StandardStream.write(Array("\(line)\n".utf8), to: STDOUT_FILENO), error != EPIPE else {
      return
    }
    say("castq-link: cannot write to standard output: \(String(cString: strerror(error)))")
    Glibc.exit(ExitStatus.inputOutput.rawValue)
  }

  /// Prints a message on one line, without control characters: it may quote titles and servers.
  static func say(_ line: String) {
    StandardStream.say(TerminalText.sanitized(AddressText.withoutSecrets(line)))
  }

  /// What is said from now on does not wait for who reads it: plays and commands go on meanwhile.
  static func beginService() {
    StandardStream.begin(patience: .seconds(2)) { count in
      "castq-link: \(count) \(count == 1 ? "line was" : "lines were") dropped here, for nothing read them"
    }
  }
}
