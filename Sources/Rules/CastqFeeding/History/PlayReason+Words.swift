package import CastProtocol

extension PlayReason {
  /// The receiver's words first, then castq's note.
  package var words: String { Self.joined(receiverWords, note) }

  private var receiverWords: String? {
    let codeName = detailedCode.flatMap { DetailedErrorCode.name(of: $0) }
    let words = [
      idleReason, errorType, errorReason, detailedCode.map { "\($0)" },
      codeName == errorType ? nil : codeName,
    ].compactMap { $0 }.filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  private static func joined(_ first: String?, _ second: String?) -> String {
    [first, second].compactMap { $0 }.joined(separator: ": ")
  }

  /// Why a play ended, in one line, as every table, document and report has it; nil when it ended as planned.
  /// - Parameters:
  ///   - cause: nil is unknown.
  ///   - name: what interrupted it.
  ///   - unobserved: seconds in which castq did not see the device.
  ///   - attempt: which try it was, from 1.
  package static func words(
    _ cause: PlayCause?, by name: String?, _ reason: PlayReason?, unobserved: Double? = nil,
    attempt: Int? = nil
  ) -> String? {
    let receiver = cause?.hasReceiverWords ?? true ? reason?.receiverWords : nil
    var parts = [joined(cause?.words(by: name) ?? receiver, reason?.note)]
    if let unobserved, unobserved >= 1 {
      parts.append("\(Int(bounded: unobserved.rounded())) s of it were not observed")
    }
    if let attempt, attempt > 1 { parts.append("try \(attempt)") }
    parts.removeAll(where: \.isEmpty)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
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
