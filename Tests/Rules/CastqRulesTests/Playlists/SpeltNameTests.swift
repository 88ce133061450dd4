import CastqPlaylists
import CastqText
import Testing

/// Names of files that other systems spell otherwise.
@Suite("Names as other systems spell them")
struct SpeltNameTests {
  @Test(
    "the composition of letters is the smaller difference, capitals the larger one",
    arguments: [
      // Unicode Standard Annex 15: both are canonically equivalent.
      ("Café.mp3", ["Cafe\u{301}.mp3", "Cafe.mp3"], ["Cafe\u{301}.mp3"], ["Cafe\u{301}.mp3"]),
      ("が.mp3", ["か\u{3099}.mp3", "か.mp3"], ["か\u{3099}.mp3"], ["か\u{3099}.mp3"]),
      // NTFS and APFS tell no case apart.
      ("SONG.MP3", ["Song.mp3", "song2.mp3"], [], ["Song.mp3"]),
      ("ÉTÉ.mp3", ["e\u{301}te\u{301}.mp3"], [], ["e\u{301}te\u{301}.mp3"]),
      ("a.mp3", ["A.mp3", "a.MP3"], [], ["A.mp3", "a.MP3"]), ("a.mp3", [], [], []),
    ] as [(String, [String], [String], [String])])
  func names(name: String, folder: [String], composed: [String], capitals: [String]) {
    let names = FolderNames(folder)
    #expect(
      names.names(like: name, apartFrom: .composition).map { Array($0.utf8) }
        == composed.map { Array($0.utf8) })
    #expect(
      names.names(like: name, apartFrom: .capitals).map { Array($0.utf8) } == capitals.map { Array($0.utf8) })
  }

  private static let media = [
    "folder/song.mp3", "x.mp3", "Music/Deep/Song.MP3", "lists/own.mp3", "back\\slash.mp3", "back/slash.mp3",
    "two/One.mp3", "two/ONE.mp3", "Two/other.mp3", "Folders/b.mp3",
  ]
  private static let slash = #"note: `\` was read as `/`, as lists of Windows have it"#
  private static let capitals =
    "note: capitals are others than in the names of files, which were found nevertheless"

  private static func list(_ name: String, _ lines: [String]) -> (String, String) {
    switch name.split(separator: ".").last {
    case "pls":
      (name, "[playlist]\n" + lines.enumerated().map { "File\($0 + 1)=\($1)\n" }.joined())
    case "xspf":
      (
        name,
        "<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList>\n"
          + lines.map { "<track><location>\($0)</location></track>\n" }.joined() + "</trackList></playlist>"
      )
    default: (name, lines.map { $0 + "\n" }.joined())
    }
  }

  /// The right files: foobar2000, Audacious, Amarok and fooyin read a backslash as Windows does; a disk of Windows tells no case apart.
  @Test(
    "a backslash separates folders where no file has it in its name, and capitals do not count where only they differ",
    arguments: ["l.m3u", "l.pls", "l.xspf"],
    [
      (["folder\\song.mp3"], ["folder/song.mp3"], [slash]), (["lists\\..\\x.mp3"], ["x.mp3"], [slash]),
      (["/media/folder\\song.mp3"], ["folder/song.mp3"], [slash]),
      (["back\\slash.mp3"], ["back\\slash.mp3"], []), (["X.mp3"], ["x.mp3"], [capitals]),
      (
        ["music/deep/song.mp3", "MUSIC/deep/SONG.mp3"], ["Music/Deep/Song.MP3", "Music/Deep/Song.MP3"],
        [capitals]
      ),
      // A folder and a list have names of their own.
      (["X.mp3", "FOLDERS", "x.MP3"], ["x.mp3", "Folders/b.mp3", "x.mp3"], [capitals]),
      (["MUSIC\\DEEP\\song.mp3"], ["Music/Deep/Song.MP3"], [slash, capitals]),
      // RFC 8089: as players write them into XSPF.
      (["file:///media/FOLDER/song.mp3"], ["folder/song.mp3"], [capitals]),
      (["file:music/Deep/Song.MP3"], ["Music/Deep/Song.MP3"], [capitals]),
      // The file in another folder of this name.
      (["two/OTHER.mp3"], ["Two/other.mp3"], [capitals]), (["two/ONE.mp3"], ["two/ONE.mp3"], []),
    ] as [([String], [String], [String])])
  func spelt(name: String, test: (lines: [String], files: [String], notes: [String])) {
    let read = MemoryLoader(
      Dictionary(uniqueKeysWithValues: [Self.list(name, test.lines)]), media: Self.media
    )
    .read(name)
    #expect(read.urls == test.files.map { FilePath.url("/media/" + $0) })
    #expect(read.issues.map { "\($0.severity): \($0.message)" } == test.notes)
    #expect(read.issues.allSatisfy { $0.line == (name == "l.m3u" ? 1 : 2) })
  }

  private static let top =
    #"note: `\` at the beginning is the top of the disk on which a list was written; the file was found in a folder above the list"#

  @Test(
    "a path from the top of a disk of Windows is looked for in the folder of the list and in those above it",
    arguments: [
      // Winamp and foobar2000 write lists on the disk of their media so.
      (#"\x.mp3"#, ["x.mp3"], [top]), (#"\lists\own.mp3"#, ["lists/own.mp3"], [top]),
      (#"\Music\Deep\song.mp3"#, ["Music/Deep/Song.MP3"], [top, capitals]),
      (#"\own.mp3"#, ["lists/own.mp3"], [top]),
      (#"\gone.mp3"#, [], [#"error: no such file: \gone.mp3"#]),
      (#"\both.mp3"#, [], ["error: two files may be meant: /media/both.mp3 and /media/lists/both.mp3"]),
      (#"\\server\x.mp3"#, [], [#"error: \\server\x.mp3 is a path of Windows"#]),
    ] as [(String, [String], [String])])
  func rooted(line: String, files: [String], notes: [String]) {
    let media = Self.media + ["both.mp3", "lists/both.mp3"]
    let read = MemoryLoader(["lists/l.m3u": line + "\n"], media: media).read("lists/l.m3u")
    #expect(read.urls == files.map { FilePath.url("/media/" + $0) })
    #expect(read.issues.map { "\($0.severity): \($0.message)" } == notes)
  }

  @Test("in a list of the web a backslash separates folders, as browsers read it (WHATWG URL, 4.4)")
  func slashedOnWeb() {
    let list = "folder\\song.mp3\n\\x.mp3\n..\\y.mp3?a=\\b\n"
    let read = MemoryLoader(web: ["http://h/d/l.m3u": list]).read("http://h/d/l.m3u")
    #expect(read.urls == ["http://h/d/folder/song.mp3", "http://h/x.mp3", "http://h/y.mp3?a=%5Cb"])
    #expect(read.issues.map { "\($0.severity): \($0.message)" } == [Self.slash])
  }

  @Test("two files that may be meant are both named, and none is taken")
  func doubt() {
    let read = MemoryLoader(["l.m3u": "x.mp3\ntwo/one.mp3\n"], media: Self.media).read("l.m3u")
    #expect(read.urls == ["file:///media/x.mp3"])
    #expect(
      read.messages == [
        "2:1: two files may be meant: /media/two/ONE.mp3 and /media/two/One.mp3; write the name as one of them has it"
      ])
  }

  @Test("who names a source sees what there is, and a list of the network names no files")
  func exact() {
    var loader = MemoryLoader(
      media: ["Song.mp3"], web: ["http://h/l.m3u": "Song.MP3\nfile:///media/SONG.mp3\n"])
    #expect(loader.read("song.mp3").issues.map(\.message) == ["no such file: song.mp3"])
    let read = loader.read("http://h/l.m3u")
    #expect(read.urls == ["http://h/Song.MP3"] && read.issues.count == 1)
    loader.add("m.m3u", "song.mp3\n")
    #expect(loader.read("m.m3u").urls == ["file:///media/Song.mp3"])
  }

  @Test(
    "a list of the Music Player Daemon is relative to its folder, then to those of the music, and leads out of none"
  )
  func music() {
    // MPD 0.23, `playlist_directory` and `music_directory`: `a dir/x y.mp3` is of the second.
    let folders = MusicFolders(lists: "/media/lists", folders: ["/srv/a", "/srv/b"])
    let text = "own.mp3\na dir/x y.mp3\nb/only.mp3\nonly.mp3\nA Dir\\X Y.mp3\n../secret.mp3\ngone.mp3\n"
    var loader = MemoryLoader(
      ["lists/l.m3u": text, "l.m3u": "only.mp3\n"],
      media: [
        "lists/own.mp3", "/srv/a/own.mp3", "/srv/a/a dir/x y.mp3", "/srv/b/only.mp3", "/srv/secret.mp3",
      ])
    loader.links = ["/srv/a/gone.mp3": "/srv/secret.mp3"]
    let read = loader.read("lists/l.m3u", music: folders)
    #expect(
      read.urls == [
        "file:///media/lists/own.mp3", "file:///srv/a/a%20dir/x%20y.mp3", "file:///srv/b/only.mp3",
        "file:///srv/b/only.mp3", "file:///srv/a/a%20dir/x%20y.mp3",
      ])
    #expect(read.issues.filter { $0.severity == .error }.map(\.line) == [6, 7])
    #expect(loader.read("l.m3u", music: folders).urls == [])
    #expect(loader.read("lists/l.m3u").urls == ["file:///media/lists/own.mp3"])
  }
}
