import CastProtocol
package import CastqText

/// A subtitle file as WebVTT, the one format of text that receivers show (protocol 10.1).
package struct SubtitleConversion: Sendable, Hashable {
  /// The WebVTT file.
  package var text: String
  /// The format of the file that was read.
  package var format: SubtitleFormat
  /// The number of subtitles in it.
  package var count: Int
  /// The set that the file was read in, and how sure that is.
  package var set = CharacterSet.utf8
  package var confidence = SetConfidence.sure
  /// What was left out or changed, by line and column.
  package var issues: [PlaylistIssue]
  /// How much that is; a long list of issues ends with one that counts the rest.
  package var problems: Int

  /// Converts a text. Subtitles that cannot be read are left out and named; all others are in the result, in the order of their
  /// times.
  /// - Parameters:
  ///   - text: the decoded file; see `SubtitleDecoding`.
  ///   - file: its name, for messages; its ending tells the format where the text does not.
  ///   - offset: seconds by which every subtitle comes later; negative ones come earlier, and those before the beginning are left
  ///     out.
  /// - Throws: when the file as a whole cannot be converted: an unknown format, too large, or without a single subtitle.
  package init(
    _ text: String, file: String, offset: Double = 0, limits: SubtitleLimits = SubtitleLimits()
  ) throws(TextError) {
    // A mark in the middle comes of joined files. Within a line it is a space of no width, which nothing shows.
    let isSubRip = (try? SubtitleFormat.found(in: Array(text.utf8.prefix(8 << 10)))) == .subRip
    let text = isSubRip || !text.utf8.contains(0xEF) ? Array(text.utf8) : Self.unmarked(text)
    guard text.count <= limits.fileBytes * 2 else {
      throw TextError("the subtitle file is larger than \(limits.fileBytes) bytes")
    }
    let ending = FilePath.fileExtension(of: file).lowercased()
    guard let format = try SubtitleFormat.found(in: text) ?? SubtitleFormat.endings[ending] else {
      throw TextError(
        "not a subtitle file that castq can read", hint: "it reads SubRip, SubStation, TTML and WebVTT")
    }
    let milliseconds = Int(bounded: max(-1e9, min(1e9, (offset.isFinite ? offset : 0) * 1000)).rounded())
    let list: CueList
    switch format {
    case .subRip: list = SubRipReader.read(text, file: file, limits: limits)
    case .timedText: list = TimedTextReader.read(text, file: file, limits: limits)
    case .subStation: list = SubStationReader.read(text, file: file, limits: limits)
    case .webVTT:
      let reader = WebVTTReader.read(text, file: file, limits: limits)
      list = reader.list
      guard reader.hasSignature || !list.cues.isEmpty else {
        throw TextError(
          "the file does not begin with WEBVTT, and there is no subtitle in it", hint: "look what it is")
      }
      self.text =
        reader.isRepaired || milliseconds != 0
        ? reader.rewritten(offset: milliseconds) : String(decoding: text, as: UTF8.self)
      (self.format, count) = (format, list.cues.count)
      (issues, problems) = (list.log.complete, list.log.count)
      return
    }
    guard !list.cues.isEmpty else {
      throw TextError(list.log.issues.first?.message ?? "there is no subtitle in the file")
    }
    self.text = Self.file(list.cues, offset: milliseconds)
    (self.format, count) = (format, list.cues.count)
    (issues, problems) = (list.log.complete, list.log.count)
  }

  private static func unmarked(_ text: String) -> [UInt8] {
    var scalars = text.unicodeScalars
    scalars.removeAll { $0 == "\u{FEFF}" }
    return Array(String(scalars).utf8)
  }

  /// WebVTT wants cues in the order of their starts; those that start together keep theirs.
  private static func file(_ cues: [SubtitleCue], offset: Int) -> String {
    let order = cues.indices.sorted { (cues[$0].start, $0) < (cues[$1].start, $1) }
    var text = "WEBVTT\n\n"
    for index in order {
      if let cue = cues[index].moved(by: offset) { text += cue.block }
    }
    return text
  }
}
