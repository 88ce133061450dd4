package import CastProtocol
import CastqText

/// Subtitle files beside media files, by their names: `film.srt`, `film.en.srt`, `film.English - SDH.srt` and `film.mp4.srt` belong to
/// `film.mp4`.
///
/// A file belongs to the media with the longest name that it begins with: `film.part2.srt` to `film.part2.mp4` where that is there, else to
/// `film.mp4`. Names match in another case where none matches as it is.
package struct SidecarSubtitles: Sendable {
  /// Names of subtitle files by what may be the name of their media, in lower case.
  private var namesByStem: [String: [String]] = [:]
  /// Names of media with and without their endings, as they are.
  private var stems: Set<String> = []
  /// Most files that are listed for one film, and most marks of one.
  private static let (most, mostMarks) = (32, 8)
  /// Endings of subtitles that castq does not read.
  private static let unreadEndings: Set = ["sub", "smi", "sami", "idx", "sbv", "mpl"]

  /// - Parameter names: all names of a directory.
  package init(_ names: [String]) {
    var found: [String] = []
    for name in names.sorted(by: NaturalOrder.precedes) {
      let ending = FilePath.fileExtension(of: name).lowercased()
      if SubtitleFormat.endings[ending] != nil || Self.unreadEndings.contains(ending) {
        found.append(name)
      } else if let type = ContentTypes.standard.fileType(path: name),
        ["video", "audio"].contains(ContentTypes.family(of: type))
      {
        stems.formUnion([name, String(name.dropLast(ending.utf8.count + 1))])
      }
    }
    let lowerStems = Set(stems.map { $0.lowercased() })
    // It belongs to the longest.
    for name in found {
      for stem in Self.stems(of: name) {
        add(name, to: stem)
        if lowerStems.contains(stem.lowercased()) { break }
        let apart = Self.stemsBeforeLanguage(stem).first { lowerStems.contains($0.lowercased()) }
        if let apart {
          add(name, to: apart)
          break
        }
      }
    }
  }

  private mutating func add(_ name: String, to stem: String) {
    let key = stem.lowercased()
    if namesByStem[key, default: []].count < Self.most { namesByStem[key, default: []].append(name) }
  }

  /// What stands before a language that no point sets apart, the longest first: `film_en`, `film-en`, `film (English)`. After a blank a code
  /// is a word.
  private static func stemsBeforeLanguage(_ stem: String) -> [String] {
    var stems: [String] = []
    var rest = stem[...]
    // A language with its marks has few words; the bound keeps a name of separators cheap.
    for _ in 0..<4 {
      guard let place = rest.lastIndex(where: { " _-([".contains($0) }) else { break }
      rest = stem[..<place]
      let marks = SubtitleMarks([String(Self.withoutSigns(stem[place...]))])
      let isCode = stem[place...].count < 5 && stem[place] == " "
      let head = rest.prefix(
        upTo: rest.lastIndex { !" _-([".contains($0) }.map { rest.index(after: $0) } ?? rest.startIndex)
      if marks.language != nil, marks.words.isEmpty, !isCode, !head.isEmpty { stems.append(String(head)) }
    }
    return stems
  }

  private static func withoutSigns(_ text: Substring) -> Substring { text.drop { " _-([".contains($0) } }

  /// What stands before each point of a name, the longest first.
  private static func stems(of name: String) -> [String] {
    var stems: [String] = []
    var stem = name
    while stems.count < mostMarks {
      let ending = FilePath.fileExtension(of: stem)
      guard !ending.isEmpty else { break }
      stem = String(stem.dropLast(ending.count + 1))
      stems.append(stem)
    }
    return stems
  }

  /// The tracks of a media file, without identifiers of their own: that without a mark first, those with forced subtitles only last.
  package func tracks(of path: String) -> [MediaTrack] {
    let found = names(of: path).compactMap { file, rest -> (track: MediaTrack, rank: Int)? in
      guard let format = SubtitleFormat.endings[FilePath.fileExtension(of: file).lowercased()] else {
        return nil
      }
      let marks = SubtitleMarks(rest)
      let track = MediaTrack(
        identifier: 0, kind: .text, textSubtype: marks.isForDeaf ? .captions : .subtitles,
        contentIdentifier: FilePath.url(FilePath.absolute(file, in: FilePath.directory(of: path))),
        contentType: format.contentType, languageCode: marks.language ?? "und", name: marks.title)
      let isPlain = marks.language == nil && marks.words.isEmpty
      return (track, marks.isForced ? 2 : isPlain ? 0 : 1)
    }
    return (0...2).flatMap { rank in found.filter { $0.rank == rank }.map(\.track) }
  }

  /// Subtitle files of a media file in formats that castq does not read.
  package func unread(of path: String) -> [String] {
    names(of: path).map(\.file).filter {
      Self.unreadEndings.contains(FilePath.fileExtension(of: $0).lowercased())
    }
  }

  /// The files of a media file, and the marks in their names.
  private func names(of path: String) -> [(file: String, marks: [String])] {
    let name = FilePath.name(of: path)
    let ending = FilePath.fileExtension(of: name)
    let stem = ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
    var seen: Set<String> = []
    return [name, stem].flatMap { media -> [(file: String, marks: [String])] in
      (namesByStem[media.lowercased()] ?? []).compactMap { file in
        let own = String(file.prefix(media.count))
        // Another film has this name as it is written.
        guard own == media || !stems.contains(own), seen.insert(file).inserted else { return nil }
        let rest = Self.withoutSigns(file.dropFirst(media.count))
        return (file, rest.split(separator: ".").dropLast().map(String.init))
      }
    }
  }
}

/// What the parts of a file name between the film and the ending say.
package struct SubtitleMarks: Sendable {
  package private(set) var language: String?
  package private(set) var isForced = false
  /// Whether it is for viewers who cannot hear.
  package private(set) var isForDeaf = false
  /// What says nothing that castq knows.
  package private(set) var words: [String] = []

  package init(_ parts: [String]) {
    for part in parts where !read(part) {
      // `English - SDH`, `en_forced`, `Signs (forced)`.
      let pieces = part.split { " -_()[],".contains($0) }.map(String.init)
      let unknown = pieces.filter { piece in
        // Codes are words in a sentence.
        let isWord = pieces.count > 2 && piece.count < 4 && SubtitleLanguage.code(piece) != nil
        return isWord || !read(piece)
      }
      if unknown.count == pieces.count {
        words.append(part)
      } else if !unknown.isEmpty {
        words.append(unknown.joined(separator: " "))
      }
    }
  }

  /// - Returns: whether it is known.
  private mutating func read(_ part: String) -> Bool {
    switch part.lowercased() {
    case "forced", "foreign": isForced = true
    case "sdh", "cc": isForDeaf = true
    case "hi" where language != nil: isForDeaf = true
    case "default", "full", "und", "mis", "mul", "zxx", "qaa", "unknown": break
    default:
      guard let code = SubtitleLanguage.code(part) else { return false }
      if language != nil { return language == code }
      language = code
    }
    return true
  }

  /// For the list of tracks: `English`, `Portuguese (BR), forced`, `English, commentary`; the words alone where there is no language.
  package var title: String {
    let name = language.map { [SubtitleLanguage.name($0)] } ?? (words.isEmpty ? ["Subtitles"] : [])
    let marks = (isForDeaf ? ["for the deaf"] : []) + (isForced ? ["forced"] : [])
    return String((name + words + marks).joined(separator: ", ").prefix(200))
  }
}
