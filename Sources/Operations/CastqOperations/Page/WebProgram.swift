package import CastqText
package import Logging

/// The program that has the page's server.
package protocol WebProgram: Sendable {
  /// Serves until the task is cancelled.
  /// - Parameter ready: called with the port once connections are accepted.
  /// - Throws: `configuration` when certificate files cannot be used, or nobody could log in; `listen` when the address cannot
  ///   be used.
  func serve(
    _ settings: WebSettings, _ call: CallOptions, logger: Logger,
    ready: @escaping @Sendable (Int) async -> Void
  ) async throws(Failure)
}
