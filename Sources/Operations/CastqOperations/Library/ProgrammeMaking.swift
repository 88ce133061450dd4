import CastGuard
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
package import CastqText

/// Makes programmes of what is in the library, by the operation behind `castq programme add`.
package struct ProgrammeMaking {
  private let call: ScheduleCall
  private let library: MediaLibrary
  private let lists: StoredLists
  /// Files of a programme that is made of the library.
  private static let most = 10_000

  package init(_ call: ScheduleCall, _ library: MediaLibrary) {
    (self.call, self.library) = (call, library)
    lists = StoredLists(call.global)
  }

  /// One at a time: a list is read and written, and its name is looked for, before it is taken.
  private static let turn = Slots(1)

  /// Makes a programme of one source, or of files and folders of the library.
  /// - Parameters:
  ///   - source: a list, a folder or an address, as `castq programme add` takes it; nil leaves it to the files.
  ///   - filler: the programme to show while nothing of this one can be; nil is none.
  ///   - files: by their names in the library, in the order in which they play.
  package func make(
    _ name: String, source: String?, files: [String], shuffles: Bool, filler: String? = nil
  ) async throws(Failure) -> Failure? {
    await Self.turn.enter()
    defer { Self.turn.leave() }
    let name = try ScheduleName.checked(name, "programme")
    guard try !call.ask({ (store) throws(StoreError) in try store.hasProgramme(name) }) else {
      throw Failure("stale", "there is a programme \(name) already; choose another name", exit: .badData)
    }
    guard source == nil || files.isEmpty else {
      throw Failure("usage", "a programme is made of an address or of files, and not of both", exit: .usage)
    }
    if let source {
      try await refuse([source])
      return try await call.addProgramme(name, source, shuffles: shuffles, filler: filler)
    }
    guard !files.isEmpty else {
      throw Failure("usage", "choose files of the library, or name a list or an address", exit: .usage)
    }
    if files.count == 1, let alone = try library.wholeFolder(files[0]) {
      return try await call.addProgramme(name, alone, shuffles: shuffles, filler: filler)
    }
    let paths = try paths(files)
    if paths.count == 1 {
      return try await call.addProgramme(name, paths[0], shuffles: shuffles, filler: filler)
    }
    let list = listName(of: name)
    try lists.write("#EXTM3U\n" + Self.lines(paths), as: list)
    guard let path = lists.path(of: list) else {
      throw Failure("io", "the list of \(name) cannot be read again", exit: .inputOutput)
    }
    do throws(Failure) {
      return try await call.addProgramme(name, path, shuffles: shuffles, filler: filler)
    } catch {
      try? lists.remove(list)
      throw error
    }
  }

  /// Adds files and folders of the library to the end of a programme that was made of such.
  package func add(_ files: [String], to name: String) async throws(Failure) {
    await Self.turn.enter()
    defer { Self.turn.leave() }
    let programme = try call.ask { (store) throws(StoreError) in try store.programme(name).programme }
    let file = FilePath.name(of: programme.source)
    let list = String(file.dropLast(FilePath.fileExtension(of: file).count + 1))
    guard FilePath.directory(of: programme.source) == lists.folder, lists.path(of: list) == programme.source
    else {
      throw Failure(
        "usage", "\(name) has a list of its own; add the files there",
        exit: .usage)
    }
    let text: String
    do throws(PlaylistLoadError) {
      text = String(decoding: try FileLoader().read(programme.source, limit: 64 << 20), as: UTF8.self)
    } catch { throw Failure("io", "the list of \(name) cannot be read", exit: .inputOutput) }
    try lists.write(text + (text.hasSuffix("\n") ? "" : "\n") + Self.lines(try paths(files)), as: list)
    await call.poke()
  }

  private func paths(_ files: [String]) throws(Failure) -> [String] {
    var paths: [String] = []
    for file in files { paths += try library.paths(file) }
    guard !paths.isEmpty, paths.count <= Self.most else {
      throw Failure("usage", "a programme has 1 to \(Self.most) files", exit: .usage)
    }
    return paths
  }

  /// As addresses: whatever a file is called, its line means nothing else.
  private static func lines(_ paths: [String]) -> String {
    paths.map { FilePath.url($0) + "\n" }.joined()
  }

  /// A name of a file that no list has yet.
  private func listName(of name: String) -> String {
    let plain = name.replacing("/", with: "-")
    let first = plain.hasPrefix(".") ? "_\(plain)" : plain
    guard lists.path(of: first) != nil else { return first }
    return (2...1000).lazy.map { "\(first) \($0)" }.first { lists.path(of: $0) == nil } ?? first
  }

  /// What cannot play is refused when it is added.
  private func refuse(_ sources: [String]) async throws(Failure) {
    let rules = Resolvers.rules(call.global)
    let list = await SourceList(
      sources, format: nil, resolvers: rules, allowing: LocalPlaces(call.global),
      music: MusicFolders(call.global), timeout: call.global.deviceTimeout)
    let issues = Resolvers.issues(of: list.drafts, rules).filter { $0.severity == .error }
    guard !list.drafts.isEmpty, issues.count == list.drafts.count, let first = issues.first else { return }
    throw Failure("bad_playlist", "\(first.message); \(first.hint?.paged ?? "")", exit: .badData)
  }
}
