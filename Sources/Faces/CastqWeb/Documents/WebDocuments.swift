package import CastProtocol
package import CastqOperations
package import CastqStore
package import CastqText

/// Where the page and the API get their documents: the same functions that the command line prints with `--json`.
package protocol WebDocuments: Sendable {
  /// Answers a question, or performs a change.
  /// - Throws: the error that the command line would print, with its code.
  func answer(_ question: WebQuestion) async throws(Failure) -> WebDocument

  /// The same, and says how far it is where that takes long: what an `outcome` has at its end, of an announcement `announced`.
  func answer(
    _ question: WebQuestion, step: @escaping @Sendable (JSONValue) async -> Void
  ) async throws(Failure) -> WebDocument

  /// A device by any of its names: read before each command.
  func device(_ name: String) async throws(Failure) -> KnownDevice

  /// Reads the words of a question, and neither asks nor does anything: for requests that are answered before they are done.
  /// - Throws: `usage` when they mean nothing.
  func check(_ question: WebQuestion) throws(Failure)

  /// What happens, from now on, until the stream is dropped.
  /// - Parameter watched: whose status somebody looks at. Devices that no daemon feeds are followed as long as they are in it.
  func news(watching watched: AsyncStream<WatchInterest>) -> AsyncStream<WatchNews>
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
