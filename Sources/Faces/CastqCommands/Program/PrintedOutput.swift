import Synchronization

/// What a command prints for one device of several, until all of it is one document.
final class PrintedOutput: Sendable {
  private let text = Mutex("")

  /// Without the last line end.
  var data: String {
    text.withLock { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }
  }

  func print(_ more: String) { text.withLock { $0 += more } }
}
