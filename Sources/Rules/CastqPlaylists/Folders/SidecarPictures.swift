import CastqText

/// Pictures beside media files, by the names that Kodi and Plex give them: `film.jpg`, `film-poster.jpg` and `film-fanart.jpg` belong to
/// `film.mp4`, `poster.jpg`, `folder.jpg` and `cover.jpg` to everything in their directory.
package struct SidecarPictures: Sendable {
  /// Names of files by their names in small letters.
  private let names: [String: String]

  /// - Parameter names: all names of a directory.
  package init(_ names: [String]) {
    var found: [String: String] = [:]
    // Where two names differ in case the one that sorts first counts, as on every run.
    let pictures = names.filter { Self.endings.contains(FilePath.fileExtension(of: $0).lowercased()) }
    for name in pictures.sorted() {
      let key = name.lowercased()
      if found[key] == nil { found[key] = name }
    }
    self.names = found
  }

  /// In the order of preference.
  private static let endings = ["jpg", "jpeg", "png", "webp"]
  /// What follows a film's own name: the picture that stands for it, and the one behind it.
  private static let (marks, backMarks) = (["", "-poster", "-cover", "-thumb"], ["-fanart", "-backdrop"])
  /// Names that belong to the whole directory.
  private static let filmNames = ["poster", "folder", "cover"]
  private static let soundNames = ["cover", "folder", "front", "albumart", "albumartsmall", "poster"]
  private static let backNames = ["fanart", "backdrop"]
  private static let thumbnailNames = ["folder", "albumart", "albumartsmall"]

  /// The path of the picture that stands for a media file; of one behind it where there is none.
  /// - Parameter isMusic: whether it is no film.
  package func picture(of path: String, isMusic: Bool) -> String? {
    guard !names.isEmpty else { return nil }
    let stem = Self.stem(of: FilePath.name(of: path))
    let shared = isMusic ? Self.soundNames : Self.filmNames
    let name = first(
      of: Self.marks.map { stem + $0 } + shared + Self.backMarks.map { stem + $0 } + Self.backNames)
    return name.map { FilePath.absolute($0, in: FilePath.directory(of: path)) }
  }

  private func first(of stems: [String]) -> String? {
    for stem in stems {
      for ending in Self.endings {
        if let name = names["\(stem.lowercased()).\(ending)"] { return name }
      }
    }
    return nil
  }

  /// The pictures of a directory that belong to its films and its music, and are no entries of their own.
  /// - Parameter media: the names of its films and its music; where there are none, pictures are pictures, but for those that file
  ///   managers and players put into every folder.
  func artwork(of media: [String]) -> Set<String> {
    guard !names.isEmpty else { return [] }
    let own = media.flatMap { name in
      (Self.marks + Self.backMarks).map { Self.stem(of: name).lowercased() + $0 }
    }
    let shared = media.isEmpty ? [] : Self.filmNames + Self.soundNames + Self.backNames
    let stems = Set(own + shared + Self.thumbnailNames)
    return Set(
      names.filter { name in
        let stem = Self.stem(of: name.key)
        return stems.contains(stem) || stem.hasPrefix("albumart_{")
      }.values)
  }

  private static func stem(of name: String) -> String {
    let ending = FilePath.fileExtension(of: name)
    return ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
  }
}
