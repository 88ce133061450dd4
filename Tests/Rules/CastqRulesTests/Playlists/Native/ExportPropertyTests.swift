import CastProtocol
import Testing
@testable import CastqPlaylists
@testable import CastqText

/// Random entries through every format that is not castq's own. `PlaylistRoundTripTests` has castq's own, which is the identity.
@Suite("Random entries through other players' formats")
struct ExportPropertyTests {
  private static let loader = MemoryLoader(media: [
    "ä b#%.mp4", "new\nline\u{1B}[1m.mp4", "plain.mp4", "poster.jpg",
  ])

  /// What each format holds, as key and value; texts that are empty, and numbers that are 0, mean nothing in it.
  private func held(_ draft: EntryDraft, by format: PlaylistFormat) -> [String: String] {
    let values = draft.media.metadata?.values ?? [:]
    var result: [String: String] = ["url": draft.media.url]
    func put(_ key: String, _ value: String?) {
      if let value, !value.isEmpty, value != "0" { result[key] = value }
    }
    func text(_ key: String) -> String? { values[key]?.string ?? values[key]?.int.map { "\($0)" } }
    /// Thousandths, which is the coarsest of them.
    func time(_ time: MediaTime?) -> String? { time.map { "\(Int(($0.seconds * 1000).rounded()))" } }
    put("title", text("title"))
    if draft.media.streamType == .buffered { put("length", time(draft.media.streamDuration)) }
    guard format != .pls else { return result }
    for key in ["artist", "subtitle"] { put(key, text(key)) }
    put("image", draft.media.metadata?.images.first?.url)
    if format != .m3u { put("trackNumber", text("trackNumber")) }
    guard format != .jspf else { return result }
    put("start", time(draft.startTime))
    put("play_for", time(draft.playbackDuration))
    for line in draft.foreign.lines where line.hasPrefix("#EXTVLCOPT:") { put(line, "kept") }
    guard format == .m3u else { return result }
    put("type", draft.media.contentType)
    // A directive has no series of a book.
    if draft.media.metadata?.kind != .audiobookChapter {
      for key in ["seriesTitle", "season"] { put(key, text(key)) }
    }
    put("preload", time(draft.preloadTime))
    put("autoplay", draft.autoplay ? nil : "no")
    put("rate", draft.playbackRate.map(DecimalText.text))
    for attribute in draft.foreign.attributes {
      put(attribute.name, attribute.value.replacing("\"", with: "'"))
    }
    for line in draft.foreign.lines where line.hasPrefix("#") { put(line, "kept") }
    return result
  }

  @Test(
    "what a format holds comes back, and what comes back is written as the same again",
    arguments: [PlaylistFormat.m3u, .pls, .xspf, .jspf], 0..<5)
  func others(format: PlaylistFormat, seed: Int) throws {
    var generator = DraftGenerator(random: SeededGenerator(seed: UInt64(seed) &+ 500))
    let name = "x.\(format.rawValue)"
    for _ in 0..<40 {
      let draft = generator.draft()
      let writer = PlaylistWriter(Playlist(drafts: [draft]), as: format)
      var loader = Self.loader
      loader.add(name, writer.text)
      let parsed = loader.read(name)
      guard draft.location != nil else {
        try #require(parsed.playlist.drafts == [], "\(writer.text)")
        try #require(writer.losses.contains { $0.hasPrefix("entry 1 was left out") })
        continue
      }
      try #require(parsed.issues.filter { $0.severity == .error } == [], "\(writer.text)")
      let again = try #require(parsed.playlist.drafts.first)
      let difference = held(draft, by: format).filter { held(again, by: format)[$0.key] != $0.value }
      try #require(difference == [:], "\(held(again, by: format))\n\(writer.text)")
      loader.add(name, PlaylistWriter(parsed.playlist, as: format).text)
      try #require(
        loader.read(name).playlist.withoutPlaces == parsed.playlist.withoutPlaces, "\(writer.text)")
    }
  }

  @Test(
    "a loss is named where there is one, and nowhere else",
    arguments: [PlaylistFormat.m3u, .pls, .xspf, .jspf])
  func losses(format: PlaylistFormat) throws {
    var generator = DraftGenerator(random: SeededGenerator(seed: 900))
    let name = "x.\(format.rawValue)"
    for _ in 0..<60 {
      let draft = generator.draft()
      guard draft.location != nil else { continue }
      let writer = PlaylistWriter(Playlist(drafts: [draft]), as: format)
      var loader = Self.loader
      loader.add(name, writer.text)
      let again = try #require(loader.read(name).playlist.drafts.first)
      func says(_ property: String) -> Bool {
        writer.losses.contains("\(format.rawValue.uppercased()) does not hold \(property): entry 1")
      }
      #expect(says("rate") == (again.playbackRate != draft.playbackRate))
      let isForeignLost = writer.losses.contains { $0.contains(" does not hold foreign ") }
      #expect(isForeignLost == (again.foreign != draft.foreign))
      #expect(says("style") == (draft.media.textTrackStyle != nil))
      #expect(says("breaks") == !draft.media.adBreaks.isEmpty)
      #expect(says("on_error") == (draft.onError != nil))
      #expect(says("stream") == (again.media.streamType != draft.media.streamType))
    }
  }
}
