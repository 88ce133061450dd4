import CastSender

// sample: launch-credentials
/// A context whose application learns at its launch who is watching.
func context(for viewer: String, of applicationID: String) -> CastContext {
  var options = CastOptions(receiverApplicationID: applicationID)
  options.launchOptions.credentials = CredentialsData(credentials: viewer, credentialsType: "linux")
  return CastContext(options: options)
}
// end sample

// sample: token-sender
/// Sends the viewer's token with a load, and a newer one whenever the application wants it.
final class TokenSender: RemoteMediaClientListener {
  private let token: @Sendable () -> String
  init(_ token: @escaping @Sendable () -> String) { self.token = token }

  func load(_ film: MediaInformation, _ client: RemoteMediaClient) async throws(CastError) -> MediaStatus {
    client.add(self)
    let credentials = CredentialsData(credentials: token(), credentialsType: "linux")
    return try await client.load(film, options: MediaLoadOptions(credentials: credentials)).value
  }

  func remoteMediaClient(_ client: RemoteMediaClient, wantsCredentials wish: CredentialsRefresh) {
    client.setCredentials(token(), answering: wish)
  }
}
// end sample
