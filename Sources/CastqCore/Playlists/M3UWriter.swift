import CastProtocol

/// Writes a playlist as M3U with castq's directives, as far as M3U can express it.
package struct M3UWriter: Sendable {
  /// The playlist; ends in a line feed.
  package private(set) var text = "#EXTM3U\n"
  /// What M3U cannot express, one line for each entry that loses something.
  package private(set) var losses: [String] = []

  package init(_ playlist: Playlist) {
    if let name = playlist.name { text += "#PLAYLIST:\(name)\n" }
    var settings: [String] = []
    if let mode = playlist.repeatMode { settings.append("repeat=\(mode.rawValue)") }
    if let isShuffled = playlist.isShuffled { settings.append("shuffle=\(isShuffled ? "yes" : "no")") }
    if !settings.isEmpty { text += "#CASTQ-QUEUE: \(settings.joined(separator: " "))\n" }
    for (offset, draft) in playlist.drafts.enumerated() { add(draft, number: offset + 1) }
    if let fallback = playlist.fallback, !fallback.isEmpty {
      losses.append("the fallback list was left out: M3U can only name a file that holds it")
    }
  }

  private mutating func add(_ draft: EntryDraft, number: Int) {
    var lost: Set<String> = []
    let media = draft.media
    let location = media.contentURL ?? media.contentID
    guard ["file", "http", "https"].contains(WebAddress.scheme(of: location)?.scheme),
      draft.origin.mayName(location)
    else {
      losses.append("entry \(number) was left out: M3U holds files and addresses, and \(location) is neither")
      return
    }
    var fields: [String] = []
    func put(_ key: String, _ value: String?) {
      if let value { fields.append("\(key)=\(Self.quoted(value))") }
    }
    func put(_ key: String, _ time: MediaTime?) { put(key, time.map { Self.seconds($0.seconds) }) }
    put("type", media.contentType)
    let isStill = media.standsStill
    put("live", media.streamType == .live ? "yes" : nil)
    if media.streamType == .none && !isStill { lost.insert("stream") }
    put("start", draft.startTime)
    var length = media.streamDuration
    if isStill, draft.startTime == nil {
      length = draft.playbackDuration
    } else {
      put("end", draft.playbackDuration.map { $0 + (draft.startTime ?? .zero) })
    }
    put("preload", draft.preloadTime)
    put("autoplay", draft.autoplay ? nil : "no")
    put("rate", draft.playbackRate.map(Self.seconds))
    text += "#EXTINF:\(length.map { Self.seconds($0.seconds) } ?? "-1"),"
    text += TerminalText.sanitized(media.metadata?.title ?? "") + "\n"
    if let metadata = media.metadata {
      for (key, tag) in [("group", "#EXTGRP"), ("genre", "#EXTGENRE")] {
        if let word = metadata.values[key]?.string { text += "\(tag):\(TerminalText.sanitized(word))\n" }
      }
      Self.write(metadata, put, &lost)
    }
    if let tracks = Self.tracks(media.mediaTracks, &lost) { fields.append("tracks=\(tracks)") }
    lost.formUnion(Self.losses(of: draft))
    if !fields.isEmpty { text += "#CASTQ: \(fields.joined(separator: " "))\n" }
    text += Self.line(location) + "\n"
    if !lost.isEmpty {
      losses.append("entry \(number): M3U cannot express \(lost.sorted().joined(separator: ", "))")
    }
  }

  /// Properties that no directive expresses.
  private static func losses(of draft: EntryDraft) -> Set<String> {
    let media = draft.media
    var lost: Set<String> = []
    func check(_ name: String, _ isSet: Bool) { if isSet { lost.insert(name) } }
    check("content_id", media.contentURL != nil)
    check("entity", media.entity != nil || media.atvEntity != nil)
    check("active_tracks", draft.activeTrackIDs != nil)
    check("style", media.textTrackStyle != nil)
    check("breaks", !media.adBreaks.isEmpty || !media.adBreakClips.isEmpty)
    check("vmap", media.vmapAdsRequest != nil)
    check("hls_segment_format", media.hlsSegmentFormat != nil)
    check("hls_video_segment_format", media.hlsVideoSegmentFormat != nil)
    check("start_absolute_time", media.startAbsoluteTime != nil)
    check("custom_data", media.customData != nil)
    check("item_custom_data", draft.customData != nil)
    check("credentials", draft.credentials != nil || draft.credentialsType != nil)
    check("not_before", draft.notBefore != nil)
    check("not_after", draft.notAfter != nil)
    check("on_error", draft.onError != nil)
    return lost
  }

  private static func write(
    _ metadata: MediaMetadata, _ put: (String, String?) -> Void, _ lost: inout Set<String>
  ) {
    let kinds: [MediaMetadata.Kind: String] = [
      .generic: "generic", .movie: "movie", .tvShow: "tv", .musicTrack: "music", .photo: "photo",
      .audiobookChapter: "audiobook",
    ]
    put("metadata", kinds[metadata.kind])
    if kinds[metadata.kind] == nil { lost.insert("metadata kind \(metadata.kind.rawValue)") }
    let isBook = metadata.kind == .audiobookChapter
    let keys = [
      "subtitle": "subtitle", "artist": "artist", isBook ? "bookTitle" : "albumName": "album",
      "seriesTitle": "series", "season": "season", isBook ? "chapterNumber" : "episode": "episode",
    ]
    for (wire, value) in metadata.values.sorted(by: { $0.key < $1.key }) {
      if ["title", "group", "genre"].contains(wire), value.string != nil { continue }
      // The title of a chapter follows from the title.
      if isBook, wire == "chapterTitle", value == metadata.values["title"] { continue }
      guard let key = keys[wire], let text = value.string ?? value.int.map({ "\($0)" }) else {
        lost.insert("metadata \(TerminalText.excerpt(wire))")
        continue
      }
      put(key, text)
    }
    if let image = metadata.images.first { put("image", line(image.url)) }
    if metadata.images.count > 1 || metadata.images.first?.width != nil { lost.insert("images") }
  }

  private static func tracks(_ tracks: [MediaTrack], _ lost: inout Set<String>) -> String? {
    let parts = tracks.compactMap { track -> String? in
      guard track.kind == .text, track.textSubtype == .subtitles, let url = track.contentIdentifier,
        let language = track.languageCode
      else {
        lost.insert("tracks")
        return nil
      }
      if !track.roles.isEmpty || track.customData != nil { lost.insert("tracks") }
      return [line(url), language, track.name].compactMap { $0 }.map(quoted).joined(separator: ":")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ",")
  }

  /// The path of a file, which other players accept; otherwise the address.
  private static func line(_ url: String) -> String {
    guard WebAddress.scheme(of: url)?.scheme == "file", let path = try? FilePath.path(url: url),
      FilePath.url(path) == url, TerminalText.sanitized(path) == path, !path.hasSuffix(" ")
    else { return url }
    return path
  }

  private static func seconds(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? String(value)
  }

  /// Quoted if it contains a separator.
  private static func quoted(_ text: String) -> String {
    let text = TerminalText.sanitized(text)
    let isBare = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && !"\"\\,:".utf8.contains($0) }
    return isBare
      ? text : "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
  }
}
