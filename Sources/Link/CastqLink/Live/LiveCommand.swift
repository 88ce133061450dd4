import CastProtocol
package import CastqFeeding
import CastqPlaylists
package import CastqText

/// A command for one device, as it came from a broker.
package struct LiveCommand: Sendable, Hashable {
  /// The sender's own name for it, up to 100 bytes.
  package let id: String
  /// What the device is to do.
  package let verb: PlaybackVerb
  /// The same in the words of the sender, such as `volume 40`.
  package let words: String
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

  /// What a verb is given.
  private enum Shape {
    /// Nothing.
    case plain(PlaybackVerb)
    /// The number of an entry, which may be missing.
    case entry
    case volume
    case goal

    /// The characters that it may have beside digits.
    var others: String {
      switch self {
      case .plain, .entry: ""
      case .volume: "+-."
      case .goal: "+-.:%hms"
      }
    }
  }

  /// All that a broker may have done, by the names of the command line.
  private static let verbs: [String: Shape] = [
    "play": .entry, "pause": .plain(.pause), "toggle": .plain(.toggle), "stop": .plain(.stop(quits: false)),
    "next": .plain(.next), "prev": .plain(.previous), "mute": .plain(.mute(true)),
    "unmute": .plain(.mute(false)), "skip-ad": .plain(.skipAd), "volume": .volume, "seek": .goal,
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
    guard let name = document["command"]?.string, let shape = verbs[name] else {
      throw refusal(
        "bad_command", "`command` is none of \(verbs.keys.sorted().joined(separator: ", "))")
    }
    let argument = document["argument"].map { $0.string ?? $0.text }
    let verb: PlaybackVerb
    switch (shape, argument) {
    case (.plain(let plain), nil): verb = plain
    case (.entry, nil): verb = .play(nil)
    case (_, nil): throw refusal("bad_command", "\(name) needs an `argument`")
    case (.plain, _): throw refusal("bad_command", "`argument` does not fit \(name)")
    case (_, let text?):
      guard isText(text, of: shape.others) else {
        throw refusal("bad_command", "`argument` does not fit \(name)")
      }
      do throws(TextError) { verb = try Self.verb(shape, text) } catch {
        // As the command line says it of its own arguments.
        throw refusal("usage", error.words)
      }
    }
    return LiveCommand(
      id: id, verb: verb, words: ([name] + (argument.map { [$0] } ?? [])).joined(separator: " "),
      replyTo: replyTo, expiresAt: moment)
  }

  private static func verb(_ shape: Shape, _ text: String) throws(TextError) -> PlaybackVerb {
    switch shape {
    case .plain(let verb): return verb
    case .volume: return .volume(try VolumeText(text))
    case .goal: return .seek(try SeekGoal(text))
    case .entry:
      guard let number = Int64(text), number > 0 else {
        throw TextError("`\(text)` is no number of an entry", hint: "write one such as 17")
      }
      return .play(EntryID(number))
    }
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

  /// Digits, with a few other characters.
  private static func isText(_ text: String, of others: String) -> Bool {
    (1...20).contains(text.utf8.count) && text.utf8.contains { (0x30...0x39).contains($0) }
      && text.utf8.allSatisfy { byte in (0x30...0x39).contains(byte) || others.utf8.contains(byte) }
      && !text.hasPrefix("--")
  }
}
