package import CastProtocol

extension PlayReason {
  /// One line: the receiver's words first, then castq's note.
  package var words: String {
    let codeName = detailedCode.flatMap { DetailedErrorCode.name(of: $0) }
    let words = [
      idleReason, errorType, errorReason, detailedCode.map { "\($0)" },
      codeName == errorType ? nil : codeName,
    ]
    let receiver = words.compactMap { $0 }.filter { !$0.isEmpty }
    return (receiver.isEmpty ? [note] : [receiver.joined(separator: " "), note]).compactMap { $0 }
      .joined(separator: ": ")
  }

  /// The receiver's words for programs; nil when it gave none.
  package var receiver: JSONValue? {
    guard idleReason != nil || errorType != nil else { return nil }
    return [
      "idle_reason": JSONValue(idleReason) ?? .null, "type": JSONValue(errorType) ?? .null,
      "reason": JSONValue(errorReason) ?? .null, "detailed_code": JSONValue(detailedCode) ?? .null,
    ]
  }
}
