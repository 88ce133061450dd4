/// A file name as a person would write the title: `The.Big_Film-2019.1080p.x264.mkv` is `The Big Film 2019`.
///
/// A name with a blank was written by a person and loses its ending only. In others dots and underscores stand for blanks, and what
/// says how a film was made and not what it is goes with all that follows. The names that cameras give stay.
package enum ReadableName {
  /// Endings of media. Another ending may be a part of the name.
  private static let endings: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "mk3d", "webm", "avi", "divx", "wmv", "asf", "flv", "f4v", "mpg", "mpeg",
    "mpe", "m2v", "vob",
    "ts", "m2ts", "mts", "ogv", "ogm", "3gp", "3g2", "rm", "rmvb", "mxf", "dv",
    "mp3", "mp2", "m4a", "m4b", "aac", "ac3", "eac3", "dts", "flac", "alac", "wav", "w64", "aif", "aiff",
    "aifc", "caf", "ogg", "oga",
    "opus", "weba", "mka", "wma", "ape", "wv", "tta", "tak", "mpc", "amr", "au", "dsf", "dff", "spx",
    "jpg", "jpeg", "png", "apng", "gif", "webp", "bmp",
  ]

  /// Words that only say how a copy was made.
  private static let marks: Set<String> = [
    "480p", "480i", "540p", "576p", "576i", "720p", "720i", "1080p", "1080i", "1440p", "2160p", "4320p", "4k",
    "8k", "uhd",
    "x264", "x265", "h264", "h265", "hevc", "xvid", "divx", "avc", "10bit", "8bit", "hdr10", "bluray",
    "blu-ray", "bdrip", "brrip",
    "bdremux", "remux", "dvdrip", "dvdscr", "webrip", "web-dl", "webdl", "web-rip", "hdtv", "hdrip",
    "hdtvrip", "tvrip", "satrip",
    "aac2", "ac3", "dts", "dts-hd", "truehd", "ddp5", "dd5", "atmos",
  ]

  /// The title that the name of a file tells; nil for one that does not end as media do.
  package static func title(of name: String) -> String? {
    let ending = FilePath.fileExtension(of: name)
    guard endings.contains(ending.lowercased()) else { return nil }
    let stem = String(name.dropLast(ending.count + 1))
    guard !stem.isEmpty else { return nil }
    return readable(stem)
  }

  /// A name without its ending.
  static func readable(_ stem: String) -> String {
    // The name of a file is shorter; an address may have anything.
    guard stem.utf8.count <= 512, !stem.unicodeScalars.contains(where: \.properties.isWhitespace),
      !isOfCamera(stem)
    else {
      return stem
    }
    var words = isOfHyphens(stem) ? stem.split(separator: "-").map(String.init) : words(stem)
    if let end = words.indices.dropFirst().first(where: { isMark(words[$0]) }) {
      words = Array(words[..<end])
    }
    words = words.flatMap(withoutHyphenBeforeYear)
    while let last = words.last, words.count > 1, last.allSatisfy({ "-_.".contains($0) }) {
      words.removeLast()
    }
    let title = words.joined(separator: " ")
    return title.isEmpty ? stem : title
  }

  /// `IMG_1234`, `DSC0042`, `PXL_20240101_120000`, `20240101_120000`.
  private static func isOfCamera(_ stem: String) -> Bool {
    let letters = stem.utf8.prefix { (0x41...0x5A).contains($0) }
    guard letters.count <= 6 else { return false }
    let rest = stem.utf8.dropFirst(letters.count)
    return rest.contains(where: isDigit) && rest.allSatisfy { isDigit($0) || "_-".utf8.contains($0) }
  }

  /// `the-big-film`: nothing but hyphens between words in small letters.
  private static func isOfHyphens(_ stem: String) -> Bool {
    let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count > 2
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { ($0.isLowercase && $0.isLetter) || $0.isNumber }
      }
  }

  /// Splits at underscores and at dots, but for the dots of `S.H.I.E.L.D` and of `5.1`.
  private static func words(_ stem: String) -> [String] {
    var words: [String] = []
    for part in stem.split(separator: "_") {
      var open = ""
      for piece in part.split(separator: ".").map(String.init) {
        let last = open.split(separator: ".").last.map(String.init) ?? open
        if open.isEmpty {
          open = piece
        } else if isInitial(last) && isInitial(piece) || isShortNumber(last) && isShortNumber(piece) {
          open += ".\(piece)"
        } else {
          words.append(open)
          open = piece
        }
      }
      if !open.isEmpty { words.append(open) }
    }
    return words
  }

  private static func isInitial(_ text: String) -> Bool { text.count == 1 && text.allSatisfy(\.isLetter) }

  private static func isShortNumber(_ text: String) -> Bool {
    text.utf8.count <= 2 && text.utf8.allSatisfy(isDigit)
  }

  /// The mark may have the name of its maker behind it: `x264-GROUP`.
  private static func isMark(_ word: String) -> Bool {
    let bare = word.lowercased().filter { !"[](){}".contains($0) }
    return marks.contains(bare) || bare.split(separator: "-").first.map { marks.contains(String($0)) } == true
  }

  /// `Film-2019` is two words; `Spider-Man` is one.
  private static func withoutHyphenBeforeYear(_ word: String) -> [String] {
    guard let hyphen = word.lastIndex(of: "-") else { return [word] }
    let (head, tail) = (word[..<hyphen], word[word.index(after: hyphen)...])
    guard tail.utf8.count == 4, tail.utf8.allSatisfy(isDigit), tail.hasPrefix("19") || tail.hasPrefix("20"),
      !head.isEmpty
    else { return [word] }
    return [String(head), String(tail)]
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
