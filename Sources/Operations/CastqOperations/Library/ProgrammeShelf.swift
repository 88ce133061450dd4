import CastGuard
package import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqSchedule
import CastqStore
package import CastqText
import Synchronization

/// The programmes as people see them: what is in each, its picture, and where it plays.
package final class ProgrammeShelf: Sendable {
  /// What was read of a programme.
  private struct Contents {
    var entries: Int?
    var seconds = 0.0
    var isWhole = true
    /// An address, and whose words it is.
    var picture: (address: String, origin: FetchOrigin)?
    /// The files of this computer.
    var paths: Set<String> = []
  }

  /// What a reading is of: it holds as long as the files of the list do, and what is known of media.
  private struct Version: Hashable {
    let files: [String: FileVersion?]
    let probes: Int64
  }

  private let global: CallOptions
  private let library: MediaLibrary
  private let lists: StoredLists
  private let art: ArtBook
  private let known = Mutex<[String: (version: Version, contents: Contents)]>([:])
  /// Entries that are looked at for a picture, and programmes that are remembered.
  private static let (looks, most) = (12, 1000)

  package init(_ global: CallOptions, _ library: MediaLibrary, _ art: ArtBook) {
    (self.global, self.library, self.art) = (global, library, art)
    lists = StoredLists(global)
  }

  private var workspace: Workspace { library.workspace }

  /// `{"programmes":[…]}`: the documents of `castq programme ls`, with `words`, `art`, plays of the last
  /// seven days, and whether files can be added.
  package func document() async throws(Failure) -> JSONValue {
    let (programmes, rules) = try rows()
    let names = try Dictionary(workspace.allDevices().map { ($0.id.ruleName, $0.name) }) { $1 }
    let plays = (try? ReportStore(workspace.database).playsOfProgrammes(since: .weekAgo)) ?? [:]
    var documents: [JSONValue] = []
    for programme in programmes {
      let contents = await contents(of: programme)
      var words = ProgrammeWords()
      let isOwn = isOwn(programme.source)
      words.source = isOwn ? nil : Self.words(ofSource: programme.source)
      (words.entries, words.seconds, words.isWhole) = (contents.entries, contents.seconds, contents.isWhole)
      words.age = isOwn ? nil : Self.age(of: programme.source)
      words.uses = rules.filter { $0.programmes.contains(programme.name) }.map {
        ProgrammeUse($0, on: Self.screens($0.target, names))
      }
      guard case .object(var members) = ScheduleOutput.programme(programme) else { continue }
      members["words"] = .string(words.text)
      members["is_used"] = .bool(!words.uses.isEmpty)
      members["can_add"] = .bool(isOwn)
      members["plays_week"] = .integer(Int64(plays[programme.name] ?? 0))
      if let (address, origin) = contents.picture {
        art.keep(address, named: origin)
        members["art"] = .string(WebArt.digest(of: address))
      }
      documents.append(.object(members))
    }
    return ["programmes": .array(documents)]
  }

  /// The files of this computer that shares play.
  package func ads() async -> Set<String> {
    guard let (programmes, rules) = try? rows() else { return [] }
    let names = Set(rules.filter { $0.kind.isShare }.flatMap(\.programmes))
    var paths: Set<String> = []
    for programme in programmes where names.contains(programme.name) {
      paths.formUnion(await contents(of: programme).paths)
    }
    return paths
  }

  /// Whether its list is one of castq's own, to which files can be added.
  package func isOwn(_ source: String) -> Bool {
    FilePath.directory(of: source) == lists.folder
      && PlaylistFormat(fileExtension: FilePath.fileExtension(of: source)) == .m3u8
  }

  private func rows() throws(Failure) -> (programmes: [StoredProgramme], rules: [ScheduleRule]) {
    let site = try SiteZone(global)
    return try workspace.ask { (here) throws(StoreError) in
      let store = ScheduleStore(here.database)
      return (
        try store.programmes(), try store.schedule(siteZone: site.name, zones: site.rules).book.rules
      )
    }
  }

  // MARK: - Words

  private static func words(ofSource source: String) -> String? {
    if let address = try? WebAddress(source) { return "from \(address.host)" }
    guard source.hasPrefix("/") else { return nil }
    let name = TerminalText.excerpt(FilePath.name(of: source))
    switch FileLoader().kind(of: source) {
    case .directory: return "folder \(name)"
    case .file where PlaylistFormat(fileExtension: FilePath.fileExtension(of: source)) == nil: return nil
    case .file, .missing, .other: return "from \(name)"
    }
  }

  /// Seconds since a list was changed; nil for what is no list in a file.
  private static func age(of source: String) -> Double? {
    guard PlaylistFormat(fileExtension: FilePath.fileExtension(of: source)) != nil,
      let file = ProbedFile(source)
    else { return nil }
    return Double(WallTime.now.milliseconds) / 1000 - Double(file.modified) / 1e9
  }

  private static func screens(_ target: RuleTarget, _ names: [String: String]) -> String {
    switch target {
    case .all: "every screen"
    case .group(let name): name
    case .device(let id): names[id] ?? "a screen"
    }
  }

  // MARK: - Contents

  private func contents(of programme: StoredProgramme) async -> Contents {
    let source = programme.source
    let probes = (try? ProbeStore(workspace.database).fingerprint()) ?? 0
    if let (version, contents) = known.withLock({ $0[source] }), version.probes == probes,
      version.files.allSatisfy({ FileVersion(path: $0.key) == $0.value })
    {
      return contents
    }
    var contents = Contents()
    let drafts: [EntryDraft]
    var files: [String: FileVersion?] = [:]
    if source.hasPrefix("/") || FilePath.isURL(source) {
      let list = await SourceList(
        [source], format: nil, resolvers: Resolvers.rules(global), allowing: LocalPlaces(global),
        music: MusicFolders(global), timeout: .seconds(2), asking: .nobody)
      (drafts, files) = (list.drafts, list.files)
    } else {
      // A list of the web is not asked for: what a screen has got of it last is known.
      let stored = try? workspace.queue.entries(ofProgramme: programme.name)
      guard let stored else { return contents }
      drafts = stored.map(\.draft)
    }
    contents.entries = drafts.count
    let filled = (try? workspace.filled(drafts: drafts)) ?? drafts
    for draft in filled {
      if let length = draft.playingTime() {
        contents.seconds += length.seconds
      } else {
        contents.isWhole = false
      }
      if let path = draft.media.localPath, draft.origin.mayName(draft.media.url) {
        contents.paths.insert(path)
      }
    }
    contents.picture = await picture(of: filled)
    guard !files.isEmpty else { return contents }
    let version = Version(files: files, probes: (try? ProbeStore(workspace.database).fingerprint()) ?? 0)
    known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[source] = (version, contents)
    }
    return contents
  }

  private func picture(of drafts: [EntryDraft]) async -> (String, FetchOrigin)? {
    let resolvers = Resolvers.rules(global)
    for draft in drafts.prefix(Self.looks) {
      if let image = draft.media.metadata?.images.first {
        return (image.url, draft.pictureOrigin(resolvers))
      }
      guard draft.origin.mayName(draft.media.url), let path = draft.media.localPath else { continue }
      if let own = await library.picture(inFile: path) { return (FilePath.url(own), .owner) }
    }
    return nil
  }
}
