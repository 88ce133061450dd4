import CastSender

// sample: with-ads
/// A film with an ad before it, which may be skipped after five seconds, and one in its middle, which may not.
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
/// Skips the next ad as soon as the receiver allows it. Nil when the session ends before.
func skipAd(in session: Session) async throws(CastError) -> MediaStatus? {
  for await event in session.events() {
    guard case .mediaStatus(let status?) = event, let ad = status.adBreakStatus else { continue }
    if let limit = ad.whenSkippable, let time = ad.currentClipTime, time >= limit {
      return try await session.remoteMediaClient.skipAd().value
    }
  }
  return nil
}
// end sample
