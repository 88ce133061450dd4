import CastProtocol
package import CastqCore

/// A command for one device, as it came from a broker.
package struct LiveCommand: Sendable, Hashable {
  /// The sender's own name for it, up to 100 bytes.
  package let id: String
  /// The words of the command line, such as `["volume", "40"]`.
  package let words: [String]
  /// Where the reply goes; nil is the device's own topic.
  package let replyTo: String?
  /// From when on it is not performed any more.
  package let expiresAt: WallTime

  /// Why a command is not performed. The reply has the code.
  package struct Refusal: Error, Sendable, Hashable {
    package let id: String?
    package let replyTo: String?
    package let code: String
    package let message: String

    /// The exit code of the reply.
    package var exit: ExitStatus {
      switch code {
      case "device_unknown": .deviceUnknown
      case "busy", "expired": .tryAgain
      default: .usage
      }
    }

    package init(id: String?, replyTo: String?, code: String, message: String) {
      self.id = id
      self.replyTo = replyTo
      self.code = code
      self.message = message
    }
  }

  /// The verbs, with what their argument may look like; nil takes none.
  private static let verbs: [String: (@Sendable (String) -> Bool)?] = [
    "play": isEntry, "pause": nil, "toggle": nil, "stop": nil, "next": nil, "prev": nil, "mute": nil,
    "unmute": nil, "skip-ad": nil, "volume": isStep, "seek": isTime,
  ]

  /// Reads a message.
  /// - Parameter isRetained: a broker that keeps a command would give it again to each new connection.
  package static func read(
    _ payload: [UInt8], isRetained: Bool, at now: WallTime
  ) throws(Refusal) -> LiveCommand {
    guard payload.count <= 4096,
      let document = try? JSONValue(parsing: String(decoding: payload, as: UTF8.self)),
      document.object != nil
    else {
      throw Refusal(
        id: nil, replyTo: nil, code: "bad_command", message: "it is no JSON object of at most 4,096 bytes")
    }
    let id = document["id"]?.string.flatMap { (1...100).contains($0.utf8.count) ? $0 : nil }
    let replyTo = document["reply_to"]?.string.flatMap { LiveTopics.canReply(to: $0) ? $0 : nil }
    func refusal(_ code: String, _ message: String) -> Refusal {
      Refusal(id: id, replyTo: replyTo, code: code, message: message)
    }
    guard !isRetained else {
      throw refusal(
        "retained", "a command that the broker keeps would be performed again; publish it without retain")
    }
    guard let id else { throw refusal("bad_command", "it has no `id` of 1 to 100 bytes") }
    if document["reply_to"] != nil, replyTo == nil {
      throw refusal("bad_command", "`reply_to` is no topic for replies")
    }
    guard let expiry = document["expires_at"]?.string, let moment = try? RFC3339.parse(expiry) else {
      throw refusal("bad_command", "it has no `expires_at` such as 2026-12-24T18:00:00Z")
    }
    guard moment > now else { throw refusal("expired", expiryWords(moment)) }
    guard moment - now <= longestLife else {
      throw refusal("bad_command", "it lives longer than an hour")
    }
    guard let verb = document["command"]?.string, let check = verbs[verb] else {
      throw refusal(
        "bad_command", "`command` is none of \(verbs.keys.sorted().joined(separator: ", "))")
    }
    let argument = document["argument"].map { $0.string ?? $0.text }
    if let argument {
      guard let check, check(argument) else {
        throw refusal("bad_command", "`argument` does not fit \(verb)")
      }
    } else if ["volume", "seek"].contains(verb) {
      throw refusal("bad_command", "\(verb) needs an `argument`")
    }
    return LiveCommand(
      id: id, words: [verb] + (argument.map { [$0] } ?? []), replyTo: replyTo, expiresAt: moment)
  }

  /// Checks a command that has waited for its turn. Throws `expired` for one that comes too late.
  package func check(at now: WallTime) throws(Refusal) {
    guard expiresAt > now else { throw refusal("expired", Self.expiryWords(expiresAt)) }
  }

  func refusal(_ code: String, _ message: String) -> Refusal {
    Refusal(id: id, replyTo: replyTo, code: code, message: message)
  }

  private static func expiryWords(_ moment: WallTime) -> String { "it expired at \(RFC3339.text(moment))" }

  /// The longest time between a command and its expiry, in seconds.
  private static let longestLife = 3600.0

  private static func isEntry(_ text: String) -> Bool { isText(text, of: "") }
  private static func isStep(_ text: String) -> Bool { isText(text, of: "+-.") }
  private static func isTime(_ text: String) -> Bool { isText(text, of: "+-.:%hms") }

  /// Digits, with a few other characters.
  private static func isText(_ text: String, of others: String) -> Bool {
    (1...20).contains(text.utf8.count) && text.utf8.contains { (0x30...0x39).contains($0) }
      && text.utf8.allSatisfy { byte in (0x30...0x39).contains(byte) || others.utf8.contains(byte) }
      && !text.hasPrefix("--")
  }
}
