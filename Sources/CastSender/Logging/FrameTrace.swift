import CastProtocol
import Logging

extension Logger {
  /// One line a frame, for those who want to see all of them: who says what to whom, how long it is, and the JSON.
  ///
  /// What is not JSON is told by its size alone: nobody could say what is a secret in it.
  func traceFrame(_ message: Message, _ frame: CastMessage) {
    trace(message, metadata: Self.facts(frame))
  }

  private static func facts(_ frame: CastMessage) -> Metadata {
    var facts: Metadata = [
      "cast.namespace": "\(frame.namespace)", "cast.source": "\(frame.source)",
      "cast.destination": "\(frame.destination)",
    ]
    switch frame.payload {
    case .string(let text):
      facts["cast.size"] = "\(text.utf8.count)"
      if let json = try? JSONValue(parsing: text) {
        facts["cast.payload"] = .string(Redaction.standard.json(json).text)
      }
    case .binary(let bytes): facts["cast.size"] = "\(bytes.count)"
    }
    return facts
  }
}
