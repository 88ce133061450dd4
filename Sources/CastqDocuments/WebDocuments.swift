package import CastProtocol
package import CastqCore

/// Where the page and the API get their documents: the same functions that the command line prints with `--json`.
package protocol WebDocuments: Sendable {
  /// Answers a question, or performs a change.
  /// - Throws: the error that the command line would print, with its code.
  func answer(_ question: WebQuestion) async throws(Failure) -> WebDocument

  /// Reads the words of a question, and neither asks nor does anything: for requests that are answered before they are done.
  /// - Throws: `usage` when they mean nothing.
  func check(_ question: WebQuestion) throws(Failure)

  /// What happens, from now on, until the stream is dropped.
  /// - Parameter watched: whose status somebody looks at. Devices that no daemon feeds are followed as long as they are in it.
  func news(watching watched: AsyncStream<WebInterest>) -> AsyncStream<WebNews>
}

/// A document.
package struct WebDocument: Sendable {
  /// JSON.
  package var text: String
  /// What `ETag` and `If-Match` compare; nil without one.
  package var version: String?
  /// A picture, where that was asked for.
  package var bytes: (type: String, bytes: [UInt8])?

  package init(text: String, version: String? = nil) {
    self.text = text
    self.version = version
  }

  package init(_ json: JSONValue, version: String? = nil) {
    self.init(text: json.text, version: version)
  }

  /// The document as a value.
  package var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
}

/// Something that happened, for those who listen.
package enum WebNews: Sendable {
  /// The status of a device: the document of `castq status --json`, with `at`, the moment of its position.
  case status(device: WebDevice, JSONValue)
  /// The queue of a device has another version.
  case queue(device: WebDevice, JSONValue)
  /// The rules have changed, or a device shows something by another rule.
  case plan(JSONValue)
  /// A play began or ended: a line of `castq history --jsonl`.
  case history(JSONValue)
  /// The daemon is there or gone.
  case health(JSONValue)
  /// What became of a request that was answered with 202.
  /// - Parameters:
  ///   - device: the device that it was for, by all names that are known of it; nil for none, or several.
  ///   - asker: the token of who asked, who alone gets it; nil for those of whom none is asked.
  case outcome(JSONValue, device: WebDevice?, asker: WebToken?)
  /// A device was added or removed, or has another name: all that was said of devices is read again.
  case devices

  /// As `topics=` names it.
  package var topic: String {
    switch self {
    case .status: "status"
    case .queue: "queue"
    case .plan: "plan"
    case .history: "history"
    case .health: "health"
    case .outcome: "outcome"
    case .devices: "devices"
    }
  }
}
