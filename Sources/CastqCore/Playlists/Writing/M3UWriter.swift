import CastProtocol

/// Writes a playlist as M3U with castq's directives, as far as M3U can express it.
struct M3UWriter {
  private(set) var text = "#EXTM3U\n"

  init(_ playlist: Playlist) {
    if let name = playlist.name { text += "#PLAYLIST:\(TerminalText.sanitized(name))\n" }
    var settings: [String] = []
    if let mode = playlist.repeatMode { settings.append("repeat=\(mode.rawValue)") }
    if let isShuffled = playlist.isShuffled { settings.append("shuffle=\(isShuffled ? "yes" : "no")") }
    if !settings.isEmpty { text += "#CASTQ-QUEUE: \(settings.joined(separator: " "))\n" }
    for draft in playlist.drafts { add(draft) }
  }

  private mutating func add(_ draft: EntryDraft) {
    let media = draft.media
    guard let location = draft.location else { return }
    var fields: [String] = []
    func put(_ key: String, _ value: String?) {
      if let value { fields.append("\(key)=\(Self.quoted(value))") }
    }
    func put(_ key: String, _ time: MediaTime?) { put(key, time.map { DecimalText.text($0.seconds) }) }
    put("type", media.contentType)
    let isStill = media.standsStill
    // A length of -1 makes some media live: what they are is said.
    let mayBeLive =
      draft.writtenLength == nil && !isStill && ContentTypes.family(of: media.contentType ?? "") != "video"
      && !FilePath.isURL(location)
    put("live", media.streamType == .live ? "yes" : mayBeLive && media.streamType == .buffered ? "no" : nil)
    put("start", draft.startTime)
    if !isStill || draft.startTime != nil {
      put("end", draft.playbackDuration.map { $0 + (draft.startTime ?? .zero) })
    }
    put("preload", draft.preloadTime)
    put("autoplay", draft.autoplay ? nil : "no")
    put("rate", draft.playbackRate.map(DecimalText.text))
    text += "#EXTINF:\(draft.writtenLength.map { DecimalText.text($0.seconds) } ?? "-1"),"
    text += TerminalText.sanitized(media.metadata?.title ?? "") + "\n"
    if let metadata = media.metadata {
      for (key, tag) in [("group", "#EXTGRP"), ("genre", "#EXTGENRE")] {
        if let word = metadata.values[key]?.string { text += "\(tag):\(TerminalText.sanitized(word))\n" }
      }
      Self.write(metadata, put)
    }
    if let tracks = Self.tracks(media.mediaTracks) { fields.append("tracks=\(tracks)") }
    if !fields.isEmpty { text += "#CASTQ: \(fields.joined(separator: " "))\n" }
    text += FilePath.line(location) + "\n"
  }

  private static func write(_ metadata: MediaMetadata, _ put: (String, String?) -> Void) {
    let kinds: [MediaMetadata.Kind: String] = [
      .generic: "generic", .movie: "movie", .tvShow: "tv", .musicTrack: "music", .photo: "photo",
      .audiobookChapter: "audiobook",
    ]
    put("metadata", kinds[metadata.kind])
    let isBook = metadata.kind == .audiobookChapter
    let keys = [
      "subtitle": "subtitle", "artist": "artist", isBook ? "bookTitle" : "albumName": "album",
      "seriesTitle": "series", "season": "season", isBook ? "chapterNumber" : "episode": "episode",
    ]
    for (wire, value) in metadata.values.sorted(by: { $0.key < $1.key }) {
      if let key = keys[wire] { put(key, value.string ?? value.int.map { "\($0)" }) }
    }
    if let image = metadata.images.first { put("image", FilePath.line(image.url)) }
  }

  /// Subtitles; a directive holds no other tracks.
  private static func tracks(_ tracks: [MediaTrack]) -> String? {
    let parts = tracks.compactMap { track -> String? in
      guard track.kind == .text, track.textSubtype == .subtitles, let url = track.contentIdentifier,
        let language = track.languageCode
      else { return nil }
      return [FilePath.line(url), language, track.name].compactMap { $0 }.map(quoted).joined(separator: ":")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ",")
  }

  /// Quoted if it contains a separator.
  private static func quoted(_ text: String) -> String {
    let text = TerminalText.sanitized(text)
    let isBare = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && !"\"\\,:".utf8.contains($0) }
    return isBare
      ? text : "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
  }
}
