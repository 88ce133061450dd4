package import CastqCore
package import Logging

/// The program that has the page's server.
package protocol WebProgram: Sendable {
  /// A picture that shows that a screen works, a PNG of 1280 × 720.
  var testCard: [UInt8] { get }

  /// Serves until the task is cancelled.
  /// - Parameter ready: called with the port once connections are accepted.
  /// - Throws: `configuration` when certificate files cannot be used, or nobody could log in; `listen` when the address cannot
  ///   be used.
  func serve(
    _ settings: WebSettings, documents: any WebDocuments, logger: Logger,
    ready: @escaping @Sendable (Int) async -> Void
  ) async throws(ControlFailure)
}

/// A picture for those who have nothing to play yet.
package enum WebTestCard {
  /// What stands for it among the sources of a request.
  package static let source = "castq:test-card"
}
