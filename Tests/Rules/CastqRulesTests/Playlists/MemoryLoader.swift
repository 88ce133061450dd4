import CastProtocol
import CastqPlaylists
import CastqText

/// A world made of dictionaries.
struct MemoryLoader: PlaylistLoader {
  /// Absolute paths; directories exist where files are below them.
  var files: [String: [UInt8]] = [:]
  /// Symbolic links to directories, by absolute path.
  var links: [String: String] = [:]
  var devices: Set<String> = []
  var unreadable: Set<String> = []
  var web: [String: FetchedPlaylist] = [:]
  /// How servers answer; nil when they are not asked.
  var answers: [String: WebAnswer]?
  var standardInput: [UInt8] = []

  let workingDirectory = "/media"

  /// Files below the working directory; those without content are media.
  init(_ files: [String: String] = [:], media: [String] = [], web: [String: String] = [:]) {
    for (name, text) in files { add(name, text) }
    for name in media { add(name, "") }
    for (address, text) in web {
      self.web[address] = FetchedPlaylist(bytes: Array(text.utf8), address: address)
    }
  }

  mutating func add(_ name: String, _ text: String) {
    files[FilePath.absolute(name, in: workingDirectory)] = Array(text.utf8)
  }

  func canonicalPath(_ path: String) -> String {
    var path = path
    // Each step shortens the path or ends; the bound is for links that name each other.
    for _ in 0..<40 {
      guard let link = links.first(where: { path == $0.key || path.hasPrefix($0.key + "/") }) else { break }
      path = FilePath.absolute(link.value + path.dropFirst(link.key.count), in: "/")
    }
    return path
  }

  func kind(of path: String) -> PathKind {
    let path = canonicalPath(path)
    if files[path] != nil { return .file }
    if devices.contains(path) { return .other }
    let prefix = path == "/" ? "/" : path + "/"
    return files.keys.contains { $0.hasPrefix(prefix) } ? .directory : .missing
  }

  func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8] {
    if unreadable.contains(path) { throw .failed("permission denied") }
    guard let bytes = files[canonicalPath(path)] else { throw .failed("no such file") }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    return bytes
  }

  func list(_ directory: String) throws(PlaylistLoadError) -> [String] {
    if unreadable.contains(directory) { throw .failed("permission denied") }
    let real = canonicalPath(directory)
    let prefix = real == "/" ? "/" : real + "/"
    let below = (Array(files.keys) + Array(links.keys)).filter { $0.hasPrefix(prefix) }
    return Array(
      Set(below.compactMap { $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init) }))
  }

  func text(_ bytes: ArraySlice<UInt8>, in set: CharacterSet) -> String? {
    TestCharacterSets.text(bytes, in: set)
  }

  func bytes(_ text: String, in set: CharacterSet) -> [UInt8]? { TestCharacterSets.bytes(text, in: set) }

  func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8] { standardInput }
}

extension MemoryLoader {
  func read(
    _ sources: String..., format: PlaylistFormat? = nil, limits: PlaylistLimits = PlaylistLimits(),
    descends: Bool = false, music: MusicFolders = MusicFolders()
  )
    -> ParsedPlaylist
  {
    let reader = PlaylistReader(
      loader: self, limits: limits, asking: answers == nil ? .nobody : .aboutAll, descends: descends,
      music: music)
    var reading = reader.reading(sources, format: format)
    while let request = reading.next() {
      switch request.kind {
      case .list(let limit): reading.supply(fetch(request.address, limit))
      case .type:
        reading.supply(
          answer: answers?[request.address].map { .success($0) } ?? .failure(.failed("no route")))
      }
    }
    return reading.result
  }

  private func fetch(_ address: String, _ limit: Int) -> Result<FetchedPlaylist, PlaylistLoadError> {
    guard let fetched = web[address] else { return .failure(.failed("404 Not Found")) }
    return fetched.bytes.count <= limit ? .success(fetched) : .failure(.tooLarge(limit: limit))
  }
}

extension ParsedPlaylist {
  /// The issues without the name of the file.
  var messages: [String] { issues.map { String($0.description.dropFirst($0.file.count + 1)) } }
  var urls: [String] { playlist.drafts.map(\.media.url) }
  var titles: [String?] { playlist.drafts.map { $0.media.metadata?.title } }
}
