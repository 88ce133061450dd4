package import CastGuard
import CastqDaemon
package import CastqPlaylists
package import CastqText

/// What somebody wants to play, and how it is read.
package struct SourceRequest: Sendable {
  /// Playlists, media files, folders, addresses, or `-` for standard input.
  package var sources: [String]
  /// The format of standard input; nil finds it out.
  package var format: PlaylistFormat?
  /// A file for the one entry, a language, or `off`; nil leaves it to what viewers prefer.
  package var subs: String?
  /// The content type of what is named; nil finds it out.
  package var type: String?
  /// Whether folders in a folder are read, too.
  package var recursive = false

  package init(
    sources: [String], format: PlaylistFormat? = nil, subs: String? = nil, type: String? = nil,
    recursive: Bool = false
  ) {
    self.sources = sources
    self.format = format
    self.subs = subs
    self.type = type
    self.recursive = recursive
  }

  /// An empty path would be the current folder: whoever wrote `"$LIST"` did not mean that.
  package static let emptySource = "a source is empty; write . for the current folder"
}

/// The sources of a command, read and validated.
package struct SourceList {
  /// The entries, with absolute paths as sources: a relative path is valid only in this working directory.
  package private(set) var playlist: Playlist
  /// The file of each entry as it was typed, or as the typed list names it.
  private(set) var typedFiles: [String?]
  package private(set) var issues: [PlaylistIssue]
  /// The versions of the files and folders it was read from; nil for missing ones.
  let files: [String: FileVersion?]
  /// The answers of servers about its addresses that are still valid when it is read again.
  package let asked: AskedServers
  /// Why `--subs` cannot be heeded; nil if it can.
  package let subtitleFailure: Failure?

  /// Reads sources in their order; `-` is standard input.
  /// - Parameters:
  ///   - timeout: time limit for each fetched list.
  ///   - resolvers: which addresses are resolved when they are played.
  ///   - allowed: places that may be asked whoever names them.
  ///   - music: what lists of the Music Player Daemon are relative to.
  ///   - asking: about which addresses servers are asked what they are, where the name does not show it.
  ///   - asked: answers of servers from an earlier reading.
  ///   - descends: whether folders in a folder are read, too.
  ///   - type: the content type of the media that are named; nil finds it out.
  package init(
    _ sources: [String], format: PlaylistFormat?, subtitles: SubtitleOption? = nil, resolvers: ResolverRules,
    allowing allowed: LocalPlaces, music: MusicFolders, timeout: Duration, asking: ServerAsking = .aboutAll,
    asked: AskedServers = AskedServers(), descends: Bool = false,
    type: String? = nil
  ) async {
    let loader = FileLoader()
    let web = FetchedPlaylists(timeout: timeout, asked: asked, allowing: allowed)
    var reading = PlaylistReader(
      loader: loader, asking: asking, descends: descends, resolvers: resolvers,
      mediaType: type, music: music
    ).reading(sources, format: format)
    while let request = reading.next() {
      switch request.kind {
      case .list(let limit): reading.supply(await web.list(request, limit: limit))
      case .type: reading.supply(answer: await web.answer(request))
      }
    }
    await web.cancel()
    self.asked = await web.asked.lasting
    let parsed = reading.result
    typedFiles = parsed.playlist.drafts.map(\.source?.file)
    var playlist = parsed.playlist.withAbsoluteSources(in: loader.workingDirectory)
    do throws(Failure) {
      try subtitles?.apply(to: &playlist.drafts, loader: loader)
      subtitleFailure = nil
    } catch {
      subtitleFailure = error
    }
    self.playlist = playlist
    issues = Self.inReadingOrder(parsed.issues)
    files = loader.seen.versions
  }

  /// - Parameter readsSubtitles: what viewers prefer, where problems in local subtitles are issues of the list.
  package init(
    _ input: SourceRequest, readsSubtitles: SubtitleChoice? = nil, resolvers: ResolverRules,
    allowing allowed: LocalPlaces, music: MusicFolders, timeout: Duration, asking: ServerAsking = .aboutAll,
    asked: AskedServers = AskedServers()
  ) async {
    await self.init(
      input.sources, format: input.format, subtitles: input.subs.map(SubtitleOption.init),
      resolvers: resolvers, allowing: allowed, music: music, timeout: timeout, asking: asking, asked: asked,
      descends: input.recursive, type: input.type)
    if let choice = readsSubtitles {
      issues += drafts.flatMap { SubtitleLook.issues(in: $0, hint: choice.language) }
      issues += SubtitleLook.unread(beside: drafts)
    }
  }

  /// Adds what was found out later.
  package mutating func add(_ more: [PlaylistIssue]) { issues = Self.inReadingOrder(issues + more) }

  /// Leaves out entries, and says why.
  /// - Parameter obstacle: why an entry is left out; nil keeps it.
  mutating func leaveOut(_ obstacle: (EntryDraft) -> PlaylistIssue?) {
    let obstacles = typedDrafts.map(obstacle)
    let kept = obstacles.indices.filter { obstacles[$0] == nil }
    guard kept.count < obstacles.count else { return }
    (playlist.drafts, typedFiles) = (kept.map { playlist.drafts[$0] }, kept.map { typedFiles[$0] })
    add(obstacles.compactMap(\.self))
  }

  /// Sorts issues by file in order of appearance, then by line and column.
  private static func inReadingOrder(_ issues: [PlaylistIssue]) -> [PlaylistIssue] {
    var order: [String: Int] = [:]
    for issue in issues where order[issue.file] == nil { order[issue.file] = order.count }
    func place(_ issue: PlaylistIssue) -> (Int, Int, Int) {
      (order[issue.file] ?? order.count, issue.line, issue.column)
    }
    return issues.sorted { place($0) < place($1) }
  }

  package var drafts: [EntryDraft] { playlist.drafts }

  /// The entries with their files as they were typed.
  package var typedDrafts: [EntryDraft] {
    zip(drafts, typedFiles).map { draft, file in
      var draft = draft
      if let file { draft.source?.file = file }
      return draft
    }
  }

  package var errors: [PlaylistIssue] { issues.filter { $0.severity == .error } }

  /// The issues that a person is told; a single one that ends the command is left to its error message.
  package func told(quietly: Bool) -> [PlaylistIssue] {
    if drafts.isEmpty, issues.count == 1 { return [] }
    return issues.filter { !quietly || $0.severity == .error }
  }

  /// Throws if no source has a playable entry, or the subtitles that were asked for are unusable.
  package func requireSomething() throws(Failure) {
    if let subtitleFailure, !drafts.isEmpty { throw subtitleFailure }
    guard drafts.isEmpty else { return }
    throw failure ?? Failure("bad_playlist", "nothing to play: the sources are empty", exit: .badData)
  }

  /// All errors as one failure; nil if there is none.
  package var failure: Failure? {
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
  /// The same list with absolute source paths.
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
