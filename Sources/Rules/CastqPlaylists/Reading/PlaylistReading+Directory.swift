import CastProtocol
import CastqText

/// A folder while its files are read.
struct OpenFolder {
  var files: ArraySlice<FolderContents.File>
  /// Where it is named.
  let place: PlaylistReading.Place
  /// Entries before it.
  let first: Int
  /// Places of the entries that its media became, among all entries.
  var media: [Int] = []
  /// The issue if nothing of it is media; nil when another one was reported.
  let emptiness: TextError?
}

extension PlaylistReading {
  /// Opens a folder: its media and its lists in natural order. Hidden names, pictures that belong to its media, and other files are
  /// left out without an issue.
  mutating func includeDirectory(_ path: String, shown: String, at place: Place) {
    let contents = FolderContents(of: path, shown: shown, reader: reader, budget: documentsLeft)
    openDocuments(contents.listings, wantsMore: contents.isCut, at: place)
    for problem in contents.problems { report(problem.severity, problem.kind, at: place, problem.error) }
    let words = "no media files in \(TerminalText.excerpt(shown, limit: 200))"
    let hint: FaceWords? = contents.leftOut > 0 ? "--recursive looks into its folders, too" : nil
    let folder = OpenFolder(
      files: contents.files[...], place: place, first: playlist.drafts.count,
      emptiness: contents.isCut || !contents.problems.isEmpty ? nil : TextError(words, hint: hint))
    open.append(OpenList(folder, key: reader.loader.canonicalPath(path), shown: shown, limits: limits))
  }

  mutating func readNextFile() {
    guard let folder = open.last?.folder else { return }
    guard let file = folder.files.first else { return finishFolder(folder) }
    let last = open.count - 1
    open[last].folder?.files.removeFirst()
    // The source is the line of the list that names the folder, or the file itself if the user named the folder.
    let place = folder.place.line == nil ? Place(file: file.shown) : folder.place
    let base = PlaylistBase.directory("/", shown: "/")
    if let format = file.format {
      return includeFile(file.path, shown: file.shown, format: format, item: nil, base: base, at: place)
    }
    guard admitCandidate(at: place) else {
      open[last].folder?.files = []
      return
    }
    open[last].folder?.media.append(playlist.drafts.count)
    append(nil, at: .file(file.path, shown: file.shown), base: base, place: place)
  }

  /// A folder often holds a list of its own media: what one of its lists names is not taken a second time.
  private mutating func finishFolder(_ folder: OpenFolder) {
    let media = Set(folder.media)
    let all = folder.first..<playlist.drafts.count
    let named = Set(all.filter { !media.contains($0) }.map { playlist.drafts[$0].media.contentID })
    for index in folder.media.reversed()
    where all.contains(index) && named.contains(playlist.drafts[index].media.contentID) {
      playlist.drafts.remove(at: index)
    }
    if all.isEmpty, let emptiness = folder.emptiness { report(.error, .content, at: folder.place, emptiness) }
    open.removeLast()
  }
}
