import CastSender

// sample: show
/// Plays a film; returns when it plays, and leaves it playing. The session ends in any case.
func show(_ address: String, on device: Device) async throws -> MediaStatus {
  let context = CastContext()
  let film = MediaInformation(contentID: address, contentType: "video/mp4")
  return try await context.sessionManager.withSession(with: device) { session in
    try await session.remoteMediaClient.load(film).value
  }
}
// end sample

// sample: prepare-casting
/// Creates the context that all parts of the program share.
func prepareCasting() throws(CastError) {
  var options = CastOptions(receiverApplicationID: "CC1AD845")
  options.launchOptions.language = "en-GB"
  options.stopsReceiverApplicationWhenEndingSession = true
  try CastContext.setSharedInstance(with: options)
}
// end sample

// sample: skip-credits
/// Skips the opening credits, quietly.
func skipCredits(_ client: RemoteMediaClient) async throws(CastError) -> MediaStatus? {
  client.setStreamVolume(0.3)
  client.seek(to: 90)
  return try await client.play().value
}
// end sample

// sample: tell-about
/// Describes the outcome for a person.
func describe(_ address: String, on device: Device) async -> String {
  do {
    let status = try await show(address, on: device)
    return "media session \(status.mediaSessionID) began"
  } catch {
    switch (error as? CastError)?.code {
    case .hostUnknown, .connectionRefused, .networkNotReachable: return "is it on? \(error)"
    case .mediaLoadFailed: return "the device does not take this file: \(error)"
    default: return "\(error)"
    }
  }
}
// end sample
