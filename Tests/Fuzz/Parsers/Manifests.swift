import CastProtocol
import CastqPlaylists
import CastqText

/// A folder with a manifest and files that may be its segments.
private struct StreamFolder: PlaylistLoader {
  let manifest: [UInt8]
  let workingDirectory = "/media"

  private static let names = ["out.mpd", "init-0.mp4", "chunk-0-00001.mp4", "chunk-0-00002.mp4", "film.mp4"]

  func kind(of path: String) -> PathKind {
    if path == workingDirectory { return .directory }
    return Self.names.contains { path == "\(workingDirectory)/\($0)" } ? .file : .missing
  }

  func canonicalPath(_ path: String) -> String { path }

  func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8] {
    guard manifest.count <= limit else { throw .tooLarge(limit: limit) }
    return manifest
  }

  func list(_ directory: String) throws(PlaylistLoadError) -> [String] { Self.names }

  func text(_ bytes: ArraySlice<UInt8>, in set: CharacterSet) -> String? { nil }

  func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8] { [] }
}

extension Parser {
  /// As the manifest of a stream in a folder, which is an entry whatever is in it.
  func parseManifest(_ bytes: [UInt8]) {
    var reading = PlaylistReader(loader: StreamFolder(manifest: bytes)).reading(["/media"])
    while reading.next() != nil { reading.supply(.failure(.failed("404 Not Found"))) }
    let names = reading.result.playlist.drafts.compactMap { $0.source?.file }
    precondition(names.contains { $0.hasSuffix("out.mpd") }, "a manifest hides no manifest")
  }
}
