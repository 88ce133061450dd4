import CastProtocol
import CastqPlaylists
import CastqText
import Testing

@Suite struct XSPFParserTests {
  private static let mixtape = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- made by hand -->
    <playlist version="1" xmlns="http://xspf.org/ns/0/" xmlns:vlc="http://www.videolan.org/vlc/playlist/ns/0/">
      <title>Mixtape</title><creator>Someone</creator>
      <trackList>
        <track>
          <location>http://host/a.mp3?x=1&amp;y=2</location>
          <title>Rock &#38; &#x52;oll</title><creator>Band</creator><album><![CDATA[<Record>]]></album>
          <trackNum>7</trackNum><duration>271066</duration><image>http://host/a.jpg</image>
          <annotation>The best one</annotation><info>http://host/about</info><identifier>urn:1</identifier>
          <extension application="http://www.videolan.org/vlc/playlist/0"><vlc:id>0</vlc:id><title>no</title></extension>
        </track>
        <track>
          <location>gone.mp4</location>
          <location>my%20film.mp4</location><title/><duration>0</duration></track>
        <vlc:track><location>http://host/no.mp4</location></vlc:track>
        <track xml:base="http://cdn.example/music/"><location>
          deep/c.mp3
        </location></track>
      </trackList>
    </playlist>
    """

  private func read(_ bytes: [UInt8], as name: String = "list.xspf") -> ParsedPlaylist {
    var loader = MemoryLoader(media: ["my film.mp4", "b.mp4", "music/b.mp4"])
    loader.files["/media/" + name] = bytes
    return loader.read(name)
  }

  private func read(_ text: String) -> ParsedPlaylist { read(Array(text.utf8)) }

  private func tracks(_ text: String) -> String {
    "<playlist xmlns='http://xspf.org/ns/0/'><trackList>\n\(text)\n</trackList></playlist>"
  }

  @Test("a list with everything the format has")
  func everything() {
    let parsed = read(Self.mixtape)
    #expect(parsed.messages.isEmpty)
    #expect(parsed.playlist.name == "Mixtape")
    #expect(
      parsed.urls == [
        "http://host/a.mp3?x=1&y=2", "file:///media/my%20film.mp4", "http://cdn.example/music/deep/c.mp3",
      ])
    #expect(parsed.titles == ["Rock & Roll", nil, nil])
    let first = parsed.playlist.drafts[0]
    #expect(first.media.streamDuration?.seconds == 271.066)
    #expect(first.value("artist") == .string("Band") && first.value("albumName") == .string("<Record>"))
    #expect(first.value("trackNumber") == .integer(7) && first.value("subtitle") == .string("The best one"))
    #expect(first.media.metadata?.images.map(\.url) == ["http://host/a.jpg"])
    #expect(parsed.playlist.drafts.map { $0.source?.line } == [7, 14, 17])
  }

  @Test(
    "a document says how it is encoded, and one that says it wrong loses nothing",
    arguments: [
      ("utf-16", "UTF-16", []), ("utf-16le", "UTF-16", []), ("utf-16be", "utf-16", []),
      ("latin-1", "ISO-8859-1", []), ("utf-8", "UTF-8", []), ("utf-8", "UTF-16", ["UTF-16"]),
      ("latin-1", "UTF-8", ["UTF-8"]),
    ])
  func encodings(actual: String, declared: String, doubts: [String]) {
    let text =
      "<?xml version='1.0' encoding='\(declared)'?><playlist xmlns='http://xspf.org/ns/0/'><trackList>"
      + "<track><location>http://h/a.mp4</location><title>Bj\u{F6}rk</title></track></trackList></playlist>"
    let units = Array(text.utf16)
    let bytes: [UInt8] =
      switch actual {
      case "utf-16": [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case "utf-16le": units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      case "utf-16be": [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      case "latin-1": text.unicodeScalars.map { UInt8($0.value) }
      default: Array(text.utf8)
      }
    let parsed = read(bytes)
    #expect(parsed.titles == ["Bj\u{F6}rk"])
    #expect(parsed.issues.count == doubts.count)
    for (issue, word) in zip(parsed.issues, doubts) {
      #expect(issue.severity == .warning && issue.message.lowercased().contains(word.lowercased()))
    }
    var loader = MemoryLoader()
    loader.standardInput = bytes
    #expect(loader.read("-").titles == ["Bj\u{F6}rk"], "by its first bytes")
  }

  @Test(
    "addresses are relative to the nearest base that the document states",
    arguments: [
      ("xml:base='http://h/x/'", "", "y/b.mp4", "http://h/x/y/b.mp4"),
      ("xml:base='http://h/x/list.xspf'", "xml:base='sub/'", "b.mp4", "http://h/x/sub/b.mp4"),
      ("xml:base='http://h/x/'", "", "http://g/b.mp4", "http://g/b.mp4"),
      ("xml:base='music/'", "", "b.mp4", "file:///media/music/b.mp4"),
      ("xml:base='file:///media/music/'", "", "b.mp4", "file:///media/music/b.mp4"),
      ("xml:base='file:///elsewhere/'", "", "/media/b.mp4", "file:///media/b.mp4"),
      ("", "", "music/b.mp4", "file:///media/music/b.mp4"),
    ])
  func bases(outer: String, inner: String, location: String, url: String) {
    let parsed = read(
      "<playlist xmlns='http://xspf.org/ns/0/' \(outer)><trackList><track \(inner)><location>\(location)</location>"
        + "</track></trackList></playlist>")
    #expect(parsed.urls == [url] && parsed.messages == [])
  }

  @Test("a list without a namespace, with a prefix or with a misspelt one is read")
  func namespaces() {
    for (open, close) in [
      ("<playlist>", "</playlist>"), ("<playlist xmlns='http://xspf.org/ns/0'>", "</playlist>"),
    ] {
      let parsed = read("\(open)<trackList><track><location>b.mp4</location></track></trackList>\(close)")
      #expect(parsed.urls.count == 1 && parsed.messages == [])
    }
    let prefixed = read(
      "<x:playlist xmlns:x='http://xspf.org/ns/0/'><x:trackList><x:track><x:location>b.mp4</x:location>"
        + "<location>http://h/no.mp4</location></x:track></x:trackList></x:playlist>")
    #expect(prefixed.urls == ["file:///media/b.mp4"] && prefixed.messages == [])
  }

  @Test("what is not well-formed is reported with its place, and nothing else is lost")
  func malformed() {
    let parsed = read(
      tracks(
        """
        <track><location>http://h/a?x=1&y=2</location><title>AT&T &bull; &#0;</title></track>
        <track><title>Nowhere</title></track>
        <track><location>http://h/b.mp4</location><duration>long</duration><trackNum>A1</trackNum></track>
        <track><location>http://h/c.mp4</location><title>1 < 2</track>
        </nothing><track a=1><location>http://h/d.mp4</location></track>
        <track><location>http://h/e.mp4</location><title>é</titel></track>
        """))
    #expect(
      parsed.messages.map { $0.split(separator: ";")[0] } == [
        "2:32: warning: a `&` that begins no reference", "2:56: warning: a `&` that begins no reference",
        "2:59: warning: `&bull", "2:66: warning: `&#0",
        "2:8: warning: the address does not show the kind of media",
        "3:1: the track has no `location`, so it was left out",
        "4:43: warning: `duration` is not a number of milliseconds",
        "4:68: warning: `trackNum` is not a number",
        "5:52: a `<` that begins no tag", "5:55: warning: `track` ends before `title`",
        "6:1: warning: an end tag that ends nothing, so it was left out",
        "6:11: warning: the tag `track` is malformed",
        "7:51: warning: an end tag that ends nothing, so it was left out",
        "7:59: warning: `track` ends before `title`",
      ])
    #expect(
      parsed.urls == [
        "http://h/a?x=1&y=2", "http://h/b.mp4", "http://h/c.mp4", "http://h/d.mp4", "http://h/e.mp4",
      ])
  }

  @Test("a document that ends too early gives what came before")
  func unfinished() {
    let parsed = read("<playlist><trackList><track><location>http://h/a.mp4</location><title>A")
    #expect(parsed.urls == ["http://h/a.mp4"])
    #expect(parsed.messages == ["1:64: `title` has no end; the rest of the file may be missing"])
  }

  @Test("entities of a document type mean nothing: nothing is fetched, and nothing grows")
  func entities() {
    let parsed = read(
      """
      <!DOCTYPE playlist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"> <!ENTITY f SYSTEM "file:///etc/passwd">
      <!-- > ]> --> ]>
      <playlist><trackList><track><location>http://h/a.mp4</location><title>&b;&f;</title></track></trackList></playlist>
      """)
    #expect(parsed.titles == ["&b;&f;"])
    #expect(
      parsed.messages.map { $0.prefix(26) } == ["3:71: warning: `&b;` is un", "3:74: warning: `&f;` is un"])
  }

  @Test("elements that are nested without end are refused")
  func depth() {
    let parsed = read("<playlist>" + String(repeating: "<a>", count: 500_000))
    #expect(parsed.messages.last == "1:200: elements are nested more than 64 deep; the rest was left out")
  }

  @Test(
    "another document is named",
    arguments: [
      ("<html><body/></html>", "1:1: the document is `html`, and not an XSPF `playlist`"),
      (
        "<MPD xmlns='urn:x'/>",
        "1:1: a DASH manifest, which is media and not a list; name its file or address instead"
      ),
      ("<playlist/>", "1:1: the playlist has no `trackList`"),
      ("", "1:1: no element `playlist`, which holds the tracks in XSPF"),
    ])
  func others(text: String, message: String) {
    #expect(read(text).messages == [message])
  }

  @Test("a list from the web names no local file, whatever base it states")
  func fromTheWeb() {
    var loader = MemoryLoader(media: ["b.mp4"])
    let text =
      "<playlist xml:base='file:///media/'><trackList><track><location>b.mp4</location></track>"
      + "<track xml:base='http://g/'><location>c.mp4</location></track></trackList></playlist>"
    loader.web["http://h/x.xspf"] = FetchedPlaylist(bytes: Array(text.utf8), address: "http://h/x.xspf")
    let parsed = loader.read("http://h/x.xspf")
    #expect(parsed.urls == ["http://g/c.mp4"])
    #expect(parsed.messages.count == 1)
  }

  @Test("large hostile documents cost no more than their length", .timeLimit(.minutes(5)))
  func hostile() {
    for piece in [
      "<a b='&", "&", "<!--", "<![CDATA[", "<!", "</", "<a xmlns:b='c'", "]]>", "<?", "'", "<track>",
    ] {
      let text = tracks(String(repeating: piece, count: 200_000 / piece.utf8.count))
      #expect(read(text).issues.count <= 1001)
    }
  }
}
