import CastqPlaylists
import CastqText
import Testing
@testable import CastqMPD

@Suite("Folders that clients see")
struct FolderTests {
  /// `/m` has a song, a film in a folder, a page, a list, a hidden file and links out of it; `/n` has another song.
  struct Disk: PlaylistLoader {
    private static let folders: [String: [String]] = [
      "/nas": ["@eaDir", "#recycle", "Songs", "a.mp3", "System Volume Information"], "/nas/@eaDir": ["a.mp3"],
      "/nas/#recycle": ["old.mp3"], "/nas/Songs": ["@eaDir", "b.mp3"], "/nas/Songs/@eaDir": ["b.mp3"],
      "/nas/System Volume Information": ["x.mp3"],
      "/m": ["b.mp3", "Films", "page.html", "list.m3u", ".hidden.mp3", "out.mp3", "away"],
      "/m/Films": ["a.mkv", "loop"], "/m/away": ["x.mp3"], "/n": ["c.flac"],
      "/secret": ["x.mp3", "cover.png"],
      "/p": ["song.mp3", "Song 2.mp3", "song 2.jpg", "Cover.png", "notes.txt"],
      "/q": ["song.mp3", "cover.jpg"],
    ]
    var workingDirectory: String { "/" }
    func canonicalPath(_ path: String) -> String {
      if path == "/q/cover.jpg" { return "/secret/cover.png" }
      if path == "/m/out.mp3" { return "/secret/x.mp3" }
      if path.hasPrefix("/m/away") { return "/secret" + path.dropFirst(7) }
      return path
    }
    func kind(of path: String) -> PathKind {
      if path.hasSuffix("/loop") || Self.folders[path] != nil { return .directory }
      let parent = FilePath.directory(of: path)
      return Self.folders[parent]?.contains(FilePath.name(of: path)) == true ? .file : .missing
    }
    func read(_ path: String, limit: Int) throws(PlaylistLoadError) -> [UInt8] { Array(path.utf8) }
    func list(_ directory: String) throws(PlaylistLoadError) -> [String] {
      directory.hasSuffix("/loop") ? ["loop"] : Self.folders[directory] ?? []
    }
    func readStandardInput(limit: Int) throws(PlaylistLoadError) -> [UInt8] { [] }
  }

  @Test(
    "the picture of a song is the one beside it, and none from outside the folders",
    arguments: [
      ("/p", "song.mp3", "image/png /p/Cover.png"), ("/p", "Song 2.mp3", "image/jpeg /p/song 2.jpg"),
      ("/q", "song.mp3", ""), ("/m", "b.mp3", ""),
    ])
  func pictureBeside(root: String, song: String, expected: String) throws {
    let folders = folders(root)
    let picture = folders.picture(beside: try folders.item(song))
    #expect(picture.map { "\($0.type) \(String(decoding: $0.bytes, as: UTF8.self))" } ?? "" == expected)
  }

  @Test(
    "a picture that an entry names is read if it is one, and lies in the folders",
    arguments: [
      ("file:///p/Cover.png", "image/png"), ("file:///secret/cover.png", ""),
      ("file:///p/../secret/cover.png", ""),
      ("file:///q/cover.jpg", ""), ("file:///p/notes.txt", ""), ("http://h/Cover.png", ""),
      ("/p/Cover.png", ""),
    ])
  func pictureNamed(address: String, type: String) {
    #expect(folders("/p", "/q").picture(at: address)?.type ?? "" == type)
  }

  private func folders(_ paths: String...) -> MediaFolders { MediaFolders(paths) { Disk() } }

  @Test("media and folders are listed, and nothing else")
  func contents() throws {
    let one = folders("/m/")
    #expect(try one.contents(of: one.item("")).map(\.name) == ["Films", "b.mp3"])
    #expect(try one.contents(of: one.item("Films")).map(\.name) == ["Films/loop", "Films/a.mkv"])
    #expect(try one.item("/Films/a.mkv").path == "/m/Films/a.mkv")
    let two = folders("/m", "/n")
    #expect(try two.contents(of: two.item("/")).map(\.name) == ["m", "n"])
    #expect(try two.item("n/c.flac").path == "/n/c.flac")
    #expect(two.name(of: "/n/c.flac") == "n/c.flac" && two.name(of: "/mm/c.flac") == nil)
    #expect(try folders().contents(of: folders().item("")).isEmpty)
  }

  @Test("waste bins and thumbnails of systems are no folders of songs, wherever they lie")
  func systemNames() throws {
    let one = folders("/nas")
    #expect(try one.contents(of: one.item("")).map(\.name) == ["Songs", "a.mp3"])
    #expect(try one.tree(of: one.item("")).map(\.name) == ["Songs", "Songs/b.mp3", "a.mp3"])
  }

  @Test(
    "what systems leave in folders is neither seen nor added by its name",
    arguments: [
      "@eaDir", "@eaDir/a.mp3", "/@eaDir/a.mp3", "#recycle/old.mp3", "Songs/@eaDir/b.mp3",
      "file:///nas/Songs/@eaDir/b.mp3", "System Volume Information/x.mp3",
    ])
  func remains(name: String) {
    #expect(throws: MediaFolders.Problem.missing) { try folders("/nas").item(name) }
    #expect(throws: MediaFolders.Problem.self) { try folders("/nas", "/n").item("nas/" + name) }
  }

  @Test("a folder that is shared is seen, whatever it is called")
  func sharedRemains() throws {
    #expect(try folders("/nas/@eaDir").item("a.mp3").path == "/nas/@eaDir/a.mp3")
    #expect(try folders("/nas/@eaDir", "/n").item("@eaDir/a.mp3").kind == .media)
  }

  @Test(
    "no name leads out of the folders",
    arguments: [
      "../secret/x.mp3", "Films/../../secret/x.mp3", "out.mp3", "away/x.mp3", "away", ".hidden.mp3",
      "./b.mp3",
      "file:///secret/x.mp3", "file:///m/../secret/x.mp3", "file:///m/out.mp3", "FILE:/secret/x.mp3",
      "secret",
    ])
  func outside(name: String) {
    #expect(throws: MediaFolders.Problem.self) { try folders("/m").item(name) }
  }

  @Test("a list and a page in a folder are no songs", arguments: ["list.m3u", "page.html"])
  func notMedia(name: String) { #expect(throws: MediaFolders.Problem.self) { try folders("/m").item(name) } }

  @Test("a folder that contains itself has an end")
  func loops() throws {
    let one = folders("/m")
    #expect(try one.tree(of: one.item("")).count < 100)
  }

  @Test(
    "a file in a folder is called by its name in it, however the folder is written, and every other address as it is"
  )
  func files() {
    let one = folders("//x/..//m/")
    #expect(one.file(of: "file:///m/Films/a.mkv") == "Films/a.mkv")
    #expect(one.file(of: "file:///secret/x.mp3") == "file:///secret/x.mp3")
    #expect(one.file(of: "http://h/a.mp3") == "http://h/a.mp3")
  }
}
