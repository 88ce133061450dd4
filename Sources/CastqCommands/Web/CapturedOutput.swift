import CastqCore
import Synchronization

/// What a command prints that runs within another program.
final class CapturedOutput: Sendable {
  private struct Texts {
    var data = ""
    var messages: [String] = []
  }

  private let texts = Mutex(Texts())
  /// Bytes of data that are kept: a document that is larger is none for a page.
  private static let limit = 64 << 20
  private static let mostMessages = 100

  /// The data, without a line end.
  var data: String {
    texts.withLock { texts in
      texts.data.hasSuffix("\n") ? String(texts.data.dropLast()) : texts.data
    }
  }

  /// What was said beside it.
  var messages: [String] { texts.withLock { $0.messages } }

  func print(_ text: String) {
    texts.withLock { texts in
      guard texts.data.utf8.count + text.utf8.count <= Self.limit else { return }
      texts.data += text
    }
  }

  func say(_ line: String) {
    texts.withLock { texts in
      guard texts.messages.count < Self.mostMessages else { return }
      texts.messages.append(TerminalText.sanitized(line))
    }
  }
}
