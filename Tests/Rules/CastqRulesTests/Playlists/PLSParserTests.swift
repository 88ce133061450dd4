import CastProtocol
import CastqPlaylists
import Testing

@Suite struct PLSParserTests {
  private static let loader = MemoryLoader(media: ["a.mp4", "b.mp3", "ü.mp3", "sub/c.mp4"])

  private func read(_ text: String) -> ParsedPlaylist { read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) -> ParsedPlaylist {
    var loader = Self.loader
    loader.files["/media/list.pls"] = bytes
    return loader.read("list.pls")
  }

  private func titles(_ parsed: ParsedPlaylist) -> [String?] {
    parsed.playlist.drafts.map { $0.media.metadata?.title }
  }

  @Test("a list of Winamp: files with titles and lengths")
  func winamp() {
    let parsed = read(
      """
      [playlist]\r
      File1=a.mp4\r
      Title1=The Film\r
      Length1=5400\r
      File2=sub/c.mp4\r
      Title2=Another = one\r
      Length2=61.5\r
      NumberOfEntries=2\r
      Version=2\r

      """)
    #expect(parsed.messages.isEmpty)
    #expect(titles(parsed) == ["The Film", "Another = one"])
    #expect(parsed.playlist.drafts.map { $0.media.streamDuration?.seconds } == [5400, 61.5])
  }

  @Test("a web radio: an address without an end, which is live")
  func radio() {
    let parsed = read(
      """
      [playlist]
      numberofentries=2
      File1=http://ice.example:8000/high
      Title1=(#1 - 12/500) Example FM
      Length1=-1
      File2=http://ice2.example:8000/high
      Title2=(#2 - 3/500) Example FM
      Length2=-1
      Version=2
      """)
    let addresses = parsed.playlist.drafts.map { $0.media.contentURL ?? $0.media.contentID }
    #expect(addresses == ["http://ice.example:8000/high", "http://ice2.example:8000/high"])
    #expect(parsed.playlist.drafts.map(\.media.streamType) == [.live, .live])
  }

  @Test("entries are in the order of their numbers, keys in capitals or not, comments and foreign keys apart")
  func order() {
    let parsed = read(
      """
      ; made by hand
      [PLAYLIST]
      FILE10=b.mp3
      file2 = a.mp4
      title2= Second
      X-Gnome-Title=Mine
      Artist2=Nobody
      [other]
      File1=missing.mp4
      """)
    #expect(parsed.messages.isEmpty)
    #expect(titles(parsed) == ["Second", nil])
  }

  @Test("a bad line is reported with its place, and nothing else is lost")
  func badLines() {
    let parsed = read(
      """
      File1=a.mp4
      what is this
      File2=
      Length1=long
      File1=b.mp3
      File3=gone.mp4
      Title9=Nobody's
      NumberOfEntries=7
      """)
    #expect(
      Set(parsed.messages) == [
        "1:1: warning: no [playlist] before the first entry",
        "2:1: warning: no `=`, so the line was left out",
        "3:1: File2 names no file",
        "4:9: warning: `long` is not a length in seconds",
        "5:1: warning: File1 is given twice; both entries are kept",
        "6:7: no such file: gone.mp4",
        "7:8: warning: Title9 without File9",
        "8:17: warning: NumberOfEntries is 7, and there are 3: the end may be missing",
      ], "\(parsed.messages)")
    #expect(parsed.playlist.drafts.count == 2)
  }

  @Test("a file in the encoding of old Windows names the right files")
  func windows() {
    let parsed = read(
      Array("[playlist]\nFile1=".utf8) + [0xFC] + Array(".mp3\nTitle1=Gr".utf8) + [0xFC, 0xDF, 0x65])
    #expect(parsed.messages.isEmpty)
    #expect(titles(parsed) == ["Grüße"])
  }

  @Test("a list from the web names no local file, and a number beyond all others is the last entry")
  func hostile() {
    var loader = Self.loader
    let text = "[playlist]\nFile99999999999999999999=http://h/z.mp4\nFile1=file:///etc/passwd\nFile2=a.mp4\n"
    loader.web["http://h/list.pls"] = FetchedPlaylist(bytes: Array(text.utf8), address: "http://h/list.pls")
    let parsed = loader.read("http://h/list.pls")
    #expect(
      parsed.playlist.drafts.map { $0.media.contentURL ?? $0.media.contentID } == [
        "http://h/a.mp4", "http://h/z.mp4",
      ])
    #expect(parsed.messages.count == 1)
  }

  @Test("a list within a list, which contains itself")
  func cycle() {
    let parsed = read("[playlist]\nFile1=a.mp4\nFile2=list.pls\n")
    #expect(parsed.playlist.drafts.count == 1)
    #expect(parsed.messages.count == 1, "\(parsed.messages)")
  }
}
