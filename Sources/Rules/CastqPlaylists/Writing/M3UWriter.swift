import CastProtocol
import CastqText

/// Writes a playlist as M3U with castq's directives, as far as M3U can express it.
struct M3UWriter {
  private(set) var text = "#EXTM3U"

  init(_ playlist: Playlist) {
    text += Self.text(of: playlist.foreign.list.map { ($0.name, $0.value) }) + "\n"
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
    // A length of -1 makes some media live: their stream type is written.
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
    let length = draft.writtenLength.map { DecimalText.text($0.seconds) }
    let attributes = Self.attributes(of: draft)
    let title = TerminalText.sanitized(media.metadata?.title ?? "")
    // Players show the name of a file where a list has no title; an empty one they would show as it is.
    if length != nil || !attributes.isEmpty || !title.isEmpty {
      text += "#EXTINF:\(length ?? "-1")\(attributes),\(title)\n"
    }
    if let metadata = media.metadata {
      for (key, tag) in [("group", "#EXTGRP"), ("genre", "#EXTGENRE")] {
        if let word = metadata.values[key]?.string { text += "\(tag):\(TerminalText.sanitized(word))\n" }
      }
      Self.write(metadata, put, logo: Self.logo(of: draft))
    }
    if let tracks = Self.tracks(media.mediaTracks) { fields.append("tracks=\(tracks)") }
    for line in draft.foreign.lines where !line.hasPrefix(ForeignFields.headers) { text += line + "\n" }
    if draft.activeTrackIDs?.isEmpty == true { fields.append("subtitles=off") }
    if !fields.isEmpty { text += "#CASTQ: \(fields.joined(separator: " "))\n" }
    // Behind a path, or where nothing reads it as headers, it would be a part of the name.
    let isAddress = !FilePath.isURL(location)
    let headers =
      draft.foreign.lines.first {
        isAddress && $0.hasPrefix(ForeignFields.headers) && DemandedHeaders.areHeaders($0.dropFirst())
      } ?? ""
    text += FilePath.line(location) + headers + "\n"
  }

  /// What televisions' lists write behind the length.
  private static func attributes(of draft: EntryDraft) -> String {
    var fields = draft.foreign.attributes.map { (name: $0.name, value: $0.value) }
    if let logo = logo(of: draft) { fields.append(("tvg-logo", logo)) }
    if let group = draft.media.metadata?.values["group"]?.string, !group.utf8.contains(UInt8(ascii: "\"")),
      draft.foreign.value("group-title") == nil
    {
      fields.append(("group-title", TerminalText.sanitized(group)))
    }
    return text(of: fields)
  }

  private static func text(of attributes: [(name: String, value: String)]) -> String {
    // A quote ends a value only before a blank, a comma or the end, and others do not know even that.
    attributes.map { " \($0.name)=\"\($0.value.replacing("\"", with: "'"))\"" }.joined()
  }

  /// The address of its first picture, where an attribute can hold it.
  private static func logo(of draft: EntryDraft) -> String? {
    guard let url = draft.media.metadata?.images.first?.url,
      WebAddress.scheme(of: url)?.scheme.hasPrefix("http") == true,
      url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
    else { return nil }
    return url
  }

  private static func write(
    _ metadata: MediaMetadata, _ put: (String, String?) -> Void, logo: String?
  ) {
    let kinds: [MediaMetadata.Kind: String] = [
      .generic: "generic", .movie: "movie", .tvShow: "tv", .musicTrack: "music", .photo: "photo",
      .audiobookChapter: "audiobook",
    ]
    put("metadata", kinds[metadata.kind])
    let isBook = metadata.kind == .audiobookChapter
    // A series beside a chapter would be read as the title of its book.
    let keys =
      isBook
      ? ["subtitle": "subtitle", "artist": "artist", "bookTitle": "album", "chapterNumber": "episode"]
      : [
        "subtitle": "subtitle", "artist": "artist", "albumName": "album", "seriesTitle": "series",
        "season": "season", "episode": "episode",
      ]
    for (wire, value) in metadata.values.sorted(by: { $0.key < $1.key }) {
      if let key = keys[wire] { put(key, value.string ?? value.int.map { "\($0)" }) }
    }
    if logo == nil, let image = metadata.images.first { put("image", FilePath.line(image.url)) }
  }

  /// Whether the name shows that it is text: a directive has no other way to say it.
  private static func isTextTrack(_ url: String) -> Bool {
    let path = (try? WebAddress(url).path) ?? FilePath.line(url)
    return ContentTypes.textTrackType(fileExtension: FilePath.fileExtension(of: path)) != nil
  }

  /// Subtitles; a directive holds no other tracks.
  private static func tracks(_ tracks: [MediaTrack]) -> String? {
    let parts = tracks.compactMap { track -> String? in
      guard track.kind == .text, track.textSubtype == .subtitles, let url = track.contentIdentifier,
        let language = track.languageCode, isTextTrack(url)
      else { return nil }
      let parts = [FilePath.line(url), language, track.name].compactMap { $0 }.map(quoted)
      guard track.subtitleOffset != 0 else { return parts.joined(separator: ":") }
      let name = track.name == nil ? [""] : []
      return (parts + name + ["\(track.subtitleOffset)"]).joined(separator: ":")
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
