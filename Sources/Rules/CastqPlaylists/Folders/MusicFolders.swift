import CastqText

/// Where the lists of the Music Player Daemon lie, and what they are relative to: MPD itself resolves what a stored list names in its
/// `music_directory`.
package struct MusicFolders: Sendable, Hashable {
  /// The folder of the lists; absolute. Nil for none.
  private let lists: String?
  /// The folders with music, in the order in which files are looked for; absolute.
  private let folders: [String]

  package init(lists: String? = nil, folders: [String] = []) {
    self.lists = lists.map { FilePath.absolute($0, in: "/") }
    self.folders = folders.map { FilePath.absolute($0, in: "/") }
  }

  /// The paths that a name may mean besides the one beside its list. None leads out of the folders.
  /// - Parameter directory: of the list; absolute.
  func paths(_ text: String, ofListIn directory: String, _ loader: any PlaylistLoader) -> [(
    folder: String, name: String
  )] {
    guard let lists, !folders.isEmpty, text.utf8.first != UInt8(ascii: "/"),
      loader.canonicalPath(directory) == loader.canonicalPath(lists)
    else { return [] }
    // Of several folders each is one for clients, by its own name.
    let named = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let own = folders.filter { folders.count > 1 && named.count == 2 && FilePath.name(of: $0) == named[0] }
    let candidates = own.map { ($0, String(named[1])) } + folders.map { ($0, text) }
    return candidates.filter { folder, name in
      FilePath.absolute(name, in: folder).utf8.starts(with: (folder == "/" ? "/" : folder + "/").utf8)
    }
  }

  /// Whether a file is in its folder, wherever links lead.
  func contains(_ path: String, in folder: String, _ loader: any PlaylistLoader) -> Bool {
    let (real, base) = (loader.canonicalPath(path), loader.canonicalPath(folder))
    return real == base || real.utf8.starts(with: (base == "/" ? "/" : base + "/").utf8)
  }
}
