import CastProtocol
import CastqOperations

/// An event of the stream, with its place in it.
struct WebEvent: Sendable {
  /// From 1 on; each boot of the server counts by itself.
  private(set) var sequence: UInt64
  let topic: String
  /// What it is about: of several events of one topic and device a slow reader gets the newest.
  let device: WatchedDevice?
  /// Whom it concerns; nil is everybody.
  let audience: Audience?
  /// JSON without line ends, and the same for those who may not edit.
  private let data, hidden: String

  /// Those with one token, or those of whom none is asked.
  struct Audience: Sendable, Hashable {
    let token: WebToken?
  }

  /// Whether a later one takes its place: what happened is never replaced, only what is.
  var isReplaceable: Bool { !["history", "outcome", "progress"].contains(topic) }

  init(_ sequence: UInt64, _ news: WatchNews) {
    self.sequence = sequence
    topic = news.topic
    let document: JSONValue
    switch news {
    case .status(let device, let json), .queue(let device, let json):
      (self.device, audience, document) = (device, nil, json)
    case .plan(let json), .history(let json), .health(let json):
      (device, audience, document) = (nil, nil, json)
    case .outcome(let json, let device, let asker):
      (self.device, audience, document) = (device, Audience(token: asker), json)
    case .progress(let json, let asker):
      (device, audience, document) = (nil, Audience(token: asker), json)
    case .devices: (device, audience, document) = (nil, nil, [:])
    }
    (data, hidden) = (document.text, AddressText.withoutSecrets(document).text)
  }

  /// The same at another place of the stream.
  func moved(to sequence: UInt64) -> WebEvent {
    var event = self
    event.sequence = sequence
    return event
  }

  /// As the stream has it for somebody of a role.
  func text(boot: String, for role: WebRole) -> String {
    "id: \(boot)-\(sequence)\nevent: \(topic)\ndata: \(role.chosen(data, hidden: hidden))\n\n"
  }

  /// The boot and the sequence of `Last-Event-ID`; nil when it is none of ours.
  static func place(_ id: String) -> (boot: Substring, sequence: UInt64)? {
    guard let dash = id.lastIndex(of: "-"), let sequence = UInt64(id[id.index(after: dash)...]) else {
      return nil
    }
    return (id[..<dash], sequence)
  }
}
