import CastProtocol
import Foundation
import Testing
@testable import CastqPlaylists
@testable import CastqText

/// Lists as programs, providers and people write them, each with what its author meant beside it: `NAME` and `NAME.expected`.
///
/// The lists are written by hand, from the formats' specifications and the habits of the programs that their names name. With
/// CASTQ_RECORD=1 the expectations are written again; read the difference, because what a list means does not change with the code.
@Suite("A corpus of playlists")
struct PlaylistCorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

  private static let names: [String] = {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return all.filter { !$0.hasSuffix(".expected") }.sorted()
  }()

  private static func text(_ name: String) throws -> String? {
    let file = folder.appending(path: name)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test("has at least sixty lists, in every format")
  func size() {
    #expect(Self.names.count >= 60)
    let formats = Set(Self.names.map { FilePath.fileExtension(of: $0) })
    #expect(formats.isSuperset(of: PlaylistFormat.allCases.map(\.rawValue)))
  }

  @Test("every list means what its author meant", arguments: names)
  func meaning(name: String) throws {
    let expected = try Self.text(name + ".expected") ?? ""
    let head = expected.split(separator: "\n").first.map(String.init) ?? ""
    // `@ ADDRESS` says that the list is on the web.
    let source = head.hasPrefix("@ ") ? String(head.dropFirst(2)) : name
    let parsed = try CorpusWorld(folder: Self.folder).read(source, as: name)
    var lines = source == name ? [] : [head]
    lines += parsed.described(as: source)
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["CASTQ_RECORD"] != nil {
      try text.write(to: Self.folder.appending(path: name + ".expected"), atomically: true, encoding: .utf8)
    }
    #expect(text == expected)
  }

  @Test("what a list means survives every way of writing it, as far as the format says", arguments: names)
  func written(name: String) throws {
    let world = CorpusWorld(folder: Self.folder)
    let parsed = try world.read(name, as: name)
    guard !parsed.playlist.drafts.isEmpty else { return }
    for format in PlaylistFormat.allCases {
      let writer = PlaylistWriter(parsed.playlist, as: format)
      let again = try CorpusWorld(folder: Self.folder, extra: ["again.\(format.rawValue)": writer.text])
        .read("again.\(format.rawValue)", as: nil)
      if writer.losses.isEmpty {
        #expect(again.playlist.described == parsed.playlist.described, "\(format)\n\(writer.text)")
      } else {
        #expect(!format.isNative)
      }
    }
  }
}

/// A world around one list: every file with an extension exists, but for names with `gone`, `%` or a backslash in them.
private struct CorpusWorld: PlaylistLoader {
  let folder: URL
  var extra: [String: String] = [:]
  let workingDirectory = "/corpus"

  private func list(at path: String) -> URL? {
    guard FilePath.directory(of: path) == workingDirectory else { return nil }
    let file = folder.appending(path: FilePath.name(of: path))
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }

  func kind(of path: String) -> PathKind {
    if extra[FilePath.name(of: path)] != nil || list(at: path) != nil { return .file }
    let isMissing = path.contains("gone") || path.contains("%") || path.contains("\\")
    return isMissing || FilePath.fileExtension(of: path).isEmpty ? .missing : .file
  }

  func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8] {
    if let text = extra[FilePath.name(of: path)] { return Array(text.utf8) }
    guard let file = list(at: path), let data = try? Data(contentsOf: file) else {
      throw .failed("no such list")
    }
    return Array(data)
  }

  func list(_ directory: String) throws(PlaylistLoadError) -> [String] { [] }

  func text(_ bytes: ArraySlice<UInt8>, in set: CastqText.CharacterSet) -> String? {
    TestCharacterSets.text(bytes, in: set)
  }

  func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8] { [] }

  /// - Parameter name: the file that an address answers with.
  func read(_ source: String, as name: String?) throws -> ParsedPlaylist {
    var reading = PlaylistReader(loader: self).reading([source])
    while let request = reading.next() {
      guard request.address == source, let name else {
        reading.supply(.failure(.failed("404 Not Found")))
        continue
      }
      let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
      reading.supply(.success(FetchedPlaylist(bytes: bytes, address: source)))
    }
    return reading.result
  }
}

extension Playlist {
  /// A line for the list, when it says something of itself, and one for each entry.
  fileprivate var described: [String] {
    var head: [String] = []
    if let name { head.append("name=\(name)") }
    if let repeatMode { head.append("repeat=\(repeatMode.rawValue)") }
    if let isShuffled { head.append("shuffle=\(isShuffled)") }
    for attribute in foreign.list { head.append("| \(attribute.name)=\(attribute.value)") }
    for note in foreign.notes { head.append("| \(note.kind.rawValue) \(note.name)=\(note.value)") }
    return (head.isEmpty ? [] : ["= " + head.joined(separator: " ")]) + drafts.map(\.described)
  }
}

extension EntryDraft {
  /// Address, kind, length, title and everything else that the list says.
  fileprivate var described: String {
    var words = [media.url, "\(media.contentType ?? "-") \(media.streamType.word)"]
    func put(_ key: String, _ value: String?) { if let value { words.append("\(key)=\(value)") } }
    func put(_ key: String, _ time: MediaTime?) { put(key, time.map { DecimalText.text($0.seconds) }) }
    put("length", media.streamDuration)
    put("start", startTime)
    put("play_for", playbackDuration)
    put("preload", preloadTime)
    put("rate", playbackRate.map(DecimalText.text))
    for (key, value) in (media.metadata?.values ?? [:]).sorted(by: { $0.key < $1.key }) {
      put(key, value.string ?? value.text)
    }
    for image in media.metadata?.images ?? [] { put("image", image.url) }
    for track in media.mediaTracks {
      put("track", "\(track.contentIdentifier ?? "-") \(track.languageCode ?? "-")")
    }
    for attribute in foreign.attributes { put(attribute.name, attribute.value) }
    for note in foreign.notes { put("\(note.kind.rawValue) \(note.name)", note.value) }
    return (words + foreign.lines).joined(separator: " | ")
  }
}

extension ParsedPlaylist {
  /// The entries, then the issues: `! LINE:COLUMN: message`, with the name of another file before it.
  fileprivate func described(as source: String) -> [String] {
    playlist.described
      + issues.map { issue in
        let text = issue.description
        return "! " + (issue.file == source ? String(text.dropFirst(source.count + 1)) : text)
      }
  }
}
