import CastqPaths

/// The words of the command line, as they were typed.
enum GivenWords {
  /// Those after the name of the program. A word may be a path, whose bytes are kept; the standard library would replace them.
  static var all: [String] {
    (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
      CommandLine.unsafeArgv[index].map { PathText.text($0) }
    }
  }
}
