import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText

/// A few lists in an empty world.
private struct FewLists: PlaylistLoader {
  var files: [String: [UInt8]]
  let workingDirectory = "/media"

  func kind(of path: String) -> PathKind {
    if files[path] != nil { return .file }
    return ["/", "/media"].contains(path) ? .directory : .missing
  }

  func canonicalPath(_ path: String) -> String { path }

  func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8] {
    guard let bytes = files[path] else { throw .failed("no such file") }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    return bytes
  }

  func list(_ directory: String) throws(PlaylistLoadError) -> [String] { [] }

  func text(_ bytes: ArraySlice<UInt8>, in set: CharacterSet) -> String? {
    String(decoding: bytes, as: UTF8.self)
  }

  func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8] { [] }

  /// Reads a list; those of the web are not there.
  func read(_ name: String) -> ParsedPlaylist {
    var reading = PlaylistReader(loader: self).reading([name])
    while reading.next() != nil { reading.supply(.failure(.failed("404 Not Found"))) }
    return reading.result
  }
}

extension Parser {
  /// As a list, as a configuration where it could be one, and what was understood written in the other formats.
  func parsePlaylist(_ bytes: [UInt8], named name: String) {
    var world = FewLists(files: ["/media/\(name)": bytes])
    let parsed = world.read(name)
    if self != .m3u { _ = ConfigurationReader.read(bytes, file: name) }
    for format in PlaylistFormat.allCases where !format.isNative {
      let written = PlaylistWriter(parsed.playlist, as: format)
      world.files["/media/again.\(format.rawValue)"] = Array(written.text.utf8)
      _ = world.read("again.\(format.rawValue)")
    }
    for (format, file) in [(PlaylistFormat.yaml, "again.yaml"), (.json, "again.json")] {
      let text = NativeWriter(parsed.playlist).text(format)
      // A list of HLS names itself: it is still there.
      world.files["/media/\(file)"] = Array(text.utf8)
      let count = world.read(file).playlist.drafts.count
      precondition(count == parsed.playlist.drafts.count, "what was read can be written")
    }
  }
}
