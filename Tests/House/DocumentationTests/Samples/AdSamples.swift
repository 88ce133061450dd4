import CastSender

// sample: with-ads
/// A film with an ad before it, skippable after five seconds, and an unskippable one in its middle.
func withAds(_ film: MediaInformation, first: String, middle: String) -> MediaInformation {
  var lunch = AdBreakClipInfo(identifier: "lunch")
  lunch.title = "Lunch around the corner"
  lunch.contentURL = first
  lunch.contentType = "video/mp4"
  lunch.whenSkippable = 5
  var dinner = AdBreakClipInfo(identifier: "dinner")
  dinner.contentURL = middle
  dinner.contentType = "video/mp4"

  var film = film
  film.adBreakClips = [lunch, dinner]
  film.adBreaks = [
    AdBreakInfo(identifier: "start", clipIdentifiers: ["lunch"], position: .at(0)),
    AdBreakInfo(identifier: "middle", clipIdentifiers: ["dinner"], position: .at(1800)),
  ]
  return film
}
// end sample

// sample: skip-ad
/// Skips the current ad as soon as the receiver allows it. Nil if no ad plays, if it cannot be skipped, or if it ends before.
func skipAd(
  in session: Session, asking pause: Duration = .seconds(1)
) async throws(CastError) -> MediaStatus? {
  let client = session.remoteMediaClient
  while let ad = client.mediaStatus?.adBreakStatus, let limit = ad.whenSkippable {
    if let time = ad.currentClipTime, time >= limit { return try await client.skipAd().value }
    // The receiver sends no status when an ad becomes skippable.
    guard (try? await Task.sleep(for: pause)) != nil else { return nil }
    _ = try await client.requestStatus().value
  }
  return nil
}
// end sample
