import ArgumentParser
import CastqCore

/// What a command was given to play, read and judged.
struct SourceList {
  /// Entries name their files by absolute paths: what was typed here means nothing there and later.
  let playlist: Playlist
  /// The file of each entry as it was typed, or as the list that was typed names it.
  let typedFiles: [String?]
  let issues: [PlaylistIssue]
  /// The files and folders it was read from, and those that it misses, as they were then; nil when there was none.
  let files: [String: FileVersion?]

  /// Reads sources in their order; `-` is standard input.
  ///
  /// The reader asks for nothing but what is there, so each time it comes upon lists of the network these are fetched, and it
  /// reads again. Lists name lists to a limited depth, and so it ends.
  /// - Parameter timeout: for each list that is fetched.
  init(_ sources: [String], format: PlaylistFormat?, timeout: Duration) async {
    let limits = PlaylistLimits()
    let web = FetchedPlaylists(limit: limits.fetches)
    let loader = FileLoader(web: web, standardInput: StandardInput())
    let reader = PlaylistReader(loader: loader, limits: limits)
    var parsed = reader.read(sources, format: format)
    for _ in 0..<limits.depth {
      guard await web.fetchMissing(limits: limits, timeout: timeout) else { break }
      parsed = reader.read(sources, format: format)
    }
    typedFiles = parsed.playlist.drafts.map(\.source?.file)
    playlist = parsed.playlist.withAbsoluteSources(in: loader.workingDirectory)
    issues = Self.inReadingOrder(parsed.issues)
    files = loader.seen.versions
  }

  init(_ input: SourceOptions, timeout: Duration) async {
    await self.init(input.sources, format: input.format, timeout: timeout)
  }

  /// Files in the order they were named, each from top to bottom.
  private static func inReadingOrder(_ issues: [PlaylistIssue]) -> [PlaylistIssue] {
    var order: [String: Int] = [:]
    for issue in issues where order[issue.file] == nil { order[issue.file] = order.count }
    func place(_ issue: PlaylistIssue) -> (Int, Int, Int) {
      (order[issue.file] ?? order.count, issue.line, issue.column)
    }
    return issues.sorted { place($0) < place($1) }
  }

  var drafts: [EntryDraft] { playlist.drafts }

  var errors: [PlaylistIssue] { issues.filter { $0.severity == .error } }

  /// Says what is wrong to whoever reads along; a single mistake that ends the command is said by its end.
  func say(quietly: Bool) {
    if drafts.isEmpty, issues.count == 1 { return }
    for issue in issues where !quietly || issue.severity == .error { Console.say("\(issue)") }
  }

  /// A source that is not there, or in which nothing can be played, ends the command.
  func requireSomething() throws(Failure) {
    guard drafts.isEmpty else { return }
    throw failure ?? Failure("bad_playlist", "nothing to play: the sources are empty", exit: .badData)
  }

  /// What is wrong as a whole; nil when nothing is.
  var failure: Failure? {
    guard let first = errors.first else { return nil }
    let isMissing = errors.allSatisfy { $0.kind == .missingSource }
    let isUnreadable = errors.allSatisfy { $0.kind == .unreadable }
    let more = errors.count > 1 ? " (and \(errors.count - 1) more)" : ""
    return Failure(
      isMissing ? "input_missing" : "bad_playlist", "\(first)\(more)",
      exit: isMissing ? .inputMissing : isUnreadable ? .inputOutput : .badData)
  }
}

extension Playlist {
  /// The same list; entries that came from files say where these are from the root.
  fileprivate func withAbsoluteSources(in directory: String) -> Playlist {
    var playlist = self
    for index in playlist.drafts.indices {
      guard let file = playlist.drafts[index].source?.file, file != "-", !file.hasPrefix("/"),
        !file.contains("://")
      else {
        continue
      }
      playlist.drafts[index].source?.file = FilePath.absolute(file, in: directory)
    }
    return playlist
  }
}

/// How sources are named on the command line.
struct SourceOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Playlist, media file, folder, URL, or - for standard input.", valueName: "source"))
  var sources: [String] = []

  @Option(help: ArgumentHelp("Format of standard input when it cannot be told.", valueName: "format"))
  var format: PlaylistFormat?
}

extension PlaylistFormat: ExpressibleByArgument {
  /// Help names what this version reads.
  static var allValueStrings: [String] { allCases.filter(\.isSupported).map(\.rawValue) }
}
