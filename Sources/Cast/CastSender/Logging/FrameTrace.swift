import CastProtocol
import Logging

extension Logger {
  /// Logs one line per frame: its source, destination and size, and the JSON.
  ///
  /// Only the size of a payload is logged that is not JSON: it cannot be redacted.
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
        facts["cast.payload"] = .string(AddressText.withoutSecrets(json, hidesKeys: true).text)
      }
    case .binary(let bytes): facts["cast.size"] = "\(bytes.count)"
    }
    return facts
  }
}
