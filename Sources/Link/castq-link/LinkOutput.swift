import CastqOutput
import CastqText
import Glibc

/// Output: data goes to stdout, messages go to stderr, unbuffered.
enum LinkOutput {
  /// Prints one line of data. A write error ends the program, so that a truncated report does not look complete.
  static func print(_ line: String) {
    if !StandardStream.print("\(line)\n", by: "castq-link") { Glibc.exit(ExitStatus.inputOutput.rawValue) }
  }

  /// Prints a message on one line.
  static func say(_ line: String) { StandardStream.sayWords(line) }

  /// What is said from now on does not wait for who reads it: plays and commands go on meanwhile.
  static func beginService() {
    StandardStream.begin(patience: .seconds(2)) { count in
      "castq-link: \(count) \(count == 1 ? "line was" : "lines were") dropped here, for nothing read them"
    }
  }
}
