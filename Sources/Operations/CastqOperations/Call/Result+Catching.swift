extension Result where Failure: Sendable, Success: Sendable {
  /// The result of an asynchronous throwing body.
  package static func catching(_ body: () async throws(Failure) -> Success) async -> Result {
    do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
  }
}
