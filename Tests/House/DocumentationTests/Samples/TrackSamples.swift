import CastSender

// sample: with-subtitles
/// A film with separate subtitle files in two languages.
func withSubtitles(_ film: MediaInformation, english: String, german: String) -> MediaInformation {
  var film = film
  film.mediaTracks = [
    MediaTrack(
      identifier: 1, kind: .text, textSubtype: .subtitles, contentIdentifier: english,
      contentType: "text/vtt", languageCode: "en", name: "English"),
    MediaTrack(
      identifier: 2, kind: .text, textSubtype: .subtitles, contentIdentifier: german,
      contentType: "text/vtt", languageCode: "de", name: "Deutsch"),
  ]
  return film
}
// end sample

// sample: switch-subtitles
/// Selects other subtitles, or none, and keeps the audio track.
func showSubtitles(_ languageCode: String?, _ client: RemoteMediaClient) async throws(CastError) -> [Int]? {
  let tracks = client.mediaStatus?.mediaInformation?.mediaTracks ?? []
  let texts = tracks.filter { $0.kind == .text }
  let others = (client.mediaStatus?.activeTrackIDs ?? []).filter { id in
    !texts.contains { $0.identifier == id }
  }
  let chosen = texts.filter { $0.languageCode == languageCode && languageCode != nil }.prefix(1)
  let ids = others + chosen.map(\.identifier)
  return try await client.setActiveTrackIDs(ids).value?.activeTrackIDs
}
// end sample

// sample: large-letters
/// Yellow text of one and a half times the size, in a dark box.
func useLargeLetters(_ client: RemoteMediaClient) async throws(CastError) {
  var style = MediaTextTrackStyle()
  style.fontScale = 1.5
  style.foregroundColor = "#FFFF00FF"
  style.windowType = .roundedCorners
  style.windowColor = "#000000AA"
  style.windowRoundedCornerRadius = 8
  _ = try await client.setTextTrackStyle(style).value
}
// end sample
