import CastProtocol

/// Subtitle files beside media files, by their names: `film.srt`, `film.en.srt` and `film.en.forced.srt` belong to `film.mp4`.
struct SidecarSubtitles: Sendable {
  /// Names of subtitle files by the name of the media without its ending.
  private var namesByStem: [String: [String]] = [:]
  /// Most files that are listed for one film.
  private static let most = 32

  /// - Parameter names: all names of a directory.
  init(_ names: [String]) {
    for name in names.sorted(by: NaturalOrder.precedes) {
      guard SubtitleFormat.endings[FilePath.fileExtension(of: name).lowercased()] != nil else { continue }
      // The marks after the name of the film may be none, one or two.
      var stem = name
      for _ in 0..<3 {
        let ending = FilePath.fileExtension(of: stem)
        guard !ending.isEmpty else { break }
        stem = String(stem.dropLast(ending.count + 1))
        if namesByStem[stem, default: []].count < Self.most { namesByStem[stem, default: []].append(name) }
      }
    }
  }

  /// The tracks of a media file, without identifiers of their own: that without a mark first, those with forced subtitles only last.
  func tracks(of path: String) -> [MediaTrack] {
    let directory = FilePath.directory(of: path)
    let name = FilePath.name(of: path)
    let ending = FilePath.fileExtension(of: name)
    let stem = ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
    let found = (namesByStem[stem] ?? []).compactMap { file -> (track: MediaTrack, rank: Int)? in
      let marks = file.dropFirst(stem.count).split(separator: ".").dropLast().map(String.init)
      guard let marks = SubtitleMarks(marks) else { return nil }
      let format = SubtitleFormat.endings[FilePath.fileExtension(of: file).lowercased()]
      let track = MediaTrack(
        identifier: 0, kind: .text, textSubtype: marks.isForDeaf ? .captions : .subtitles,
        contentIdentifier: FilePath.url(FilePath.absolute(file, in: directory)),
        contentType: format?.contentType, languageCode: marks.language ?? "und", name: marks.title)
      return (track, marks.isForced ? 2 : marks.language == nil ? 0 : 1)
    }
    return (0...2).flatMap { rank in found.filter { $0.rank == rank }.map(\.track) }
  }
}

/// What the parts of a file name between the film and the ending say.
struct SubtitleMarks {
  private(set) var language: String?
  private(set) var isForced = false
  /// Whether it is for viewers who cannot hear.
  private(set) var isForDeaf = false

  /// Nil when a part says nothing known: the file then belongs to another film, such as `film.part2.srt`.
  init?(_ parts: [String]) {
    for part in parts {
      switch part.lowercased() {
      case "forced", "foreign": isForced = true
      case "sdh", "cc": isForDeaf = true
      case "hi" where language != nil: isForDeaf = true
      case "default": break
      default:
        guard language == nil, let code = SubtitleLanguage.code(part) else { return nil }
        language = code
      }
    }
  }

  /// For the list of tracks: `English`, `Portuguese (BR), forced`.
  var title: String {
    let name = language.map(SubtitleLanguage.name) ?? "Subtitles"
    return name + (isForDeaf ? ", for the deaf" : "") + (isForced ? ", forced" : "")
  }
}
