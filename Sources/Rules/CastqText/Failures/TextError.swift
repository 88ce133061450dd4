/// Why a text written by a person is invalid.
package struct TextError: Error, Hashable, Sendable {
  /// What is wrong, without a full stop.
  package var message: String
  /// What to write instead; nil when the message is sufficient.
  package var hint: FaceWords?
  /// Position in the text, in Unicode scalars from 0.
  package var offset: Int

  package init(_ message: String, hint: FaceWords? = nil, offset: Int = 0) {
    self.message = message
    self.hint = hint
    self.offset = offset
  }
}

extension TextError {
  /// What to write instead, for messages that already state the problem.
  package var advice: String { Self.quoted(hint?.typed ?? message) }

  /// The problem and what to write instead, in one line.
  package var words: String { Self.quoted(hint.map { "\(message): \($0)" } ?? message) }

  /// Files are quoted in backticks; answers to people are quoted as shells do.
  private static func quoted(_ text: String) -> String { text.replacing("`", with: "'") }
}
