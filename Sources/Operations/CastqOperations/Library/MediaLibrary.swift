import CastGuard
package import CastProtocol
import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
package import CastqText

/// The films, music and pictures in the folders of the configuration. Files are read with ffprobe when they are shown, and only once for
/// each version of them.
package final class MediaLibrary: Sendable {
  let workspace: Workspace
  private let shelf = FolderShelf()
  private let probes: ProbeMemory
  private let art: ArtBook
  /// Whether pictures can be made of what is in films and music.
  private let hasFrames: Bool
  /// Files that are read at the same time, and the time after which no other is begun: a page has to be there.
  private static let (lanes, patience) = (4, Duration.milliseconds(1500))

  /// - Parameter art: learns of the pictures that documents name.
  package init(_ global: CallOptions, _ workspace: Workspace, _ art: ArtBook) {
    self.workspace = workspace
    self.art = art
    let choices = (try? ConfigurationFile(global).read().get())?.programs ?? ProgramChoices()
    let programs = Environment.programs(choices)
    probes = ProbeMemory(programs.ffprobe.map { MediaProber($0) }, workspace.database)
    hasFrames = programs.ffmpeg != nil
  }

  /// The folders as the configuration has them now.
  var folders: MediaFolders { MediaFolders(workspace.configured.mediaFolders) { FileLoader() } }

  /// The document of a part of the library.
  /// - Parameter ads: the files that shares play, by their paths; what else is an advertisement nobody knows.
  package func document(
    _ query: LibraryQuery, ads: @Sendable () async -> Set<String> = { [] }
  ) async throws(Failure) -> JSONValue {
    let folders = folders
    var members: [String: JSONValue] = [
      "configured": .bool(!folders.isEmpty), "kind": .string(query.kind.rawValue), "q": .string(query.words),
      "folder": .string(query.folder), "from": .integer(Int64(query.from)),
      "count": .integer(Int64(query.count)),
    ]
    var (found, inside, problems): ([MediaFolders.Item], [MediaFolders.Item], [String]) = ([], [], [])
    if !folders.isEmpty {
      do throws(MediaFolders.Problem) {
        let folder = try folders.item(query.folder)
        guard folder.kind == .folder else { throw .missing }
        let tree = shelf.tree(of: folder, in: folders)
        (found, problems) = (try await matching(query, tree.items, ads), tree.problems)
        inside = tree.items.filter { $0.kind == .folder && Self.parent(of: $0.name) == folder.name }
      } catch {
        problems = ["the library has no folder \(TerminalText.excerpt(query.folder))"]
      }
    }
    let shown = Array(found.dropFirst(query.from).prefix(query.count))
    let (results, open) = await read(shown)
    let screens = try abilities()
    let plays = Self.plays(of: shown, in: workspace)
    let beside = Sidecars(folders)
    members["total"] = .integer(Int64(found.count))
    members["open"] = .integer(Int64(open))
    members["problems"] = .array(problems.map { .string($0) })
    members["folders"] = .array(
      inside.map { ["name": .string($0.name), "title": .string(Self.last($0.name))] })
    let marked = query.kind == .ads ? Set(shown.map(\.path)) : []
    members["items"] = .array(
      shown.map { item in
        document(
          item, results[item.path]?.probe, screens, beside, isAd: marked.contains(item.path),
          plays: plays[FilePath.url(item.path)] ?? 0)
      })
    return .object(members)
  }

  // MARK: - What names mean

  /// Where a file of the library is, or the files in a folder of it.
  package func paths(_ name: String) throws(Failure) -> [String] {
    let (folders, item) = try found(name)
    guard item.kind == .folder else { return [item.path] }
    return shelf.tree(of: item, in: folders).items.filter { $0.kind == .media }.map(\.path)
  }

  /// Where a folder of the library is that plays as it is: all of its files lie directly in it. Nil for any other.
  func wholeFolder(_ name: String) throws(Failure) -> String? {
    let (folders, item) = try found(name)
    guard item.kind == .folder, !item.path.isEmpty else { return nil }
    let inside = shelf.tree(of: item, in: folders).items
    return inside.isEmpty || inside.contains { $0.kind == .folder } ? nil : item.path
  }

  private func found(_ name: String) throws(Failure) -> (folders: MediaFolders, item: MediaFolders.Item) {
    let folders = folders
    do throws(MediaFolders.Problem) { return (folders, try folders.item(name)) } catch {
      throw Failure(
        "input_missing", "the library has no file \(TerminalText.excerpt(name))", exit: .inputMissing)
    }
  }

  /// Where the picture of a file of this computer is, which the file may have in it; nil when there is none.
  func picture(inFile path: String) async -> String? {
    let type = ContentTypes.standard.fileType(path: path) ?? ""
    let item = MediaFolders.Item(kind: .media, name: path, path: path)
    return hasPicture(await read([item]).results[path]?.probe, type) ? path : nil
  }

  // MARK: - What is looked for

  private func matching(
    _ query: LibraryQuery, _ items: [MediaFolders.Item], _ ads: @Sendable () async -> Set<String>
  ) async throws(MediaFolders.Problem) -> [MediaFolders.Item] {
    let family: String? =
      switch query.kind {
      case .all, .ads: nil
      case .films: "video/"
      case .music: "audio/"
      case .pictures: "image/"
      }
    let only = query.kind == .ads ? await ads() : nil
    let words = query.wanted.map { word in
      (word, (try? ProbeStore(workspace.database).paths(tagged: word)) ?? [])
    }
    return items.filter { item in
      guard item.kind == .media else { return false }
      if let only, !only.contains(item.path) { return false }
      if let family, Self.type(of: item).hasPrefix(family) == false { return false }
      guard !words.isEmpty else { return true }
      let name = item.name.lowercased()
      return words.allSatisfy { word, tagged in name.contains(word) || tagged.contains(item.path) }
    }
  }

  private static func type(of item: MediaFolders.Item) -> String {
    ContentTypes.standard.fileType(path: item.path) ?? ""
  }

  private static func last(_ name: String) -> String {
    name.split(separator: "/").last.map(String.init) ?? name
  }

  private static func parent(of name: String) -> String {
    name.split(separator: "/").dropLast().joined(separator: "/")
  }

  // MARK: - What is shown

  /// What is known of files; those of which nothing is known are read, as far as there is time.
  /// - Returns: the number of those that nobody has read yet, too.
  private func read(_ items: [MediaFolders.Item]) async -> (results: [String: ProbeResult], open: Int) {
    let media = items.filter { !Self.type(of: $0).hasPrefix("image/") }
    let files = media.compactMap { ProbedFile($0.path) }
    var results = (try? ProbeStore(workspace.database).results(of: files)) ?? [:]
    guard probes.isAble else { return (results, 0) }
    var left = files.map(\.path).filter { results[$0] == nil }[...]
    let end = TimeSource.continuous.now() + Self.patience
    await withTaskGroup(of: (String, ProbeResult?).self) { group in
      func begin() {
        guard TimeSource.continuous.now() < end, let path = left.popFirst() else { return }
        group.addTask { [probes] in (path, try? await probes.result(path) { .now }) }
      }
      for _ in 0..<Self.lanes { begin() }
      while let (path, result) = await group.next() {
        results[path] = result
        begin()
      }
    }
    return (results, left.count)
  }

  /// What each screen does with a file.
  private func abilities() throws(Failure) -> @Sendable (MediaProbe?, String, _ path: String) -> String? {
    let configured = workspace.configured
    let (allowed, folder) = configured.converted
    let prepared = PreparedFolder(path: folder ?? "\(workspace.database.path).prepared", budget: 0)
    let screens = try workspace.allDevices().map {
      (name: $0.name, rules: PlayRules($0, model: configured.model(of: $0)))
    }
    return { probe, type, path in
      lazy var file = ProbedFile(path)
      let known = screens.compactMap { screen in
        ScreenAbility(screen.rules, probe, type: type, allowed: allowed) { recipe in
          file.flatMap { PreparedFolder.name(of: $0, recipe) }.map(prepared.holds) ?? false
        }.map { (screen.name, $0) }
      }
      return known.count == screens.count ? PlaysWhere(known).words : nil
    }
  }

  private func document(
    _ item: MediaFolders.Item, _ probe: MediaProbe?, _ screens: (MediaProbe?, String, String) -> String?,
    _ beside: Sidecars, isAd: Bool, plays: Int
  ) -> JSONValue {
    let type = Self.type(of: item)
    let media = MediaInformation(contentURL: FilePath.url(item.path), contentType: type)
    var draft = EntryDraft(media: media, origin: .local)
    draft.fill(from: probe)
    let picture = beside.picture(of: item) ?? (hasPicture(probe, type) ? item.path : nil)
    let address = picture.map(FilePath.url)
    if let address { art.keep(address, named: .owner) }
    let family = ContentTypes.family(of: type)
    return [
      "name": .string(item.name), "title": .string(draft.media.label),
      "subtitle": JSONOutput.text(draft.media.secondLine),
      "kind": .string(["image": "picture", "audio": "music"][family] ?? "film"), "ad": .bool(isAd),
      "duration_s": JSONOutput.number(draft.media.streamDuration?.seconds),
      "art": JSONOutput.text(address.map(WebArt.digest)),
      "plays": JSONOutput.text(screens(probe, type, item.path)), "plays_week": .integer(Int64(plays)),
    ]
  }

  /// How often files were played in the last seven days, by their addresses. A history that cannot be read counts nothing.
  private static func plays(of items: [MediaFolders.Item], in workspace: Workspace) -> [String: Int] {
    let addresses = Set(items.map { FilePath.url($0.path) })
    return (try? ReportStore(workspace.database).plays(of: addresses, since: .weekAgo)) ?? [:]
  }

  private func hasPicture(_ probe: MediaProbe?, _ type: String) -> Bool {
    if type.hasPrefix("image/") { return true }
    guard hasFrames, let probe else { return false }
    return PictureKind(of: probe) != nil
  }
}

/// The pictures beside files, each folder read once.
private final class Sidecars {
  private let folders: MediaFolders
  private var known: [String: SidecarPictures] = [:]

  init(_ folders: MediaFolders) { self.folders = folders }

  /// The path of the picture that stands beside a film or music; nil for pictures, and without one.
  func picture(of item: MediaFolders.Item) -> String? {
    guard ContentTypes.standard.fileType(path: item.path)?.hasPrefix("image/") == false else { return nil }
    let directory = FilePath.directory(of: item.path)
    let pictures = known[directory] ?? SidecarPictures(FileLoader().names(in: directory))
    known[directory] = pictures
    return folders.path(ofPictureBeside: item, pictures)
  }
}

extension WallTime {
  /// Seven days ago.
  static var weekAgo: WallTime { .now.adding(seconds: -7 * 86_400) }
}
