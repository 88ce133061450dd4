import CastProtocol
import Testing
@testable import CastqPlaylists

@Suite("What lists say to other players")
struct ForeignFieldTests {
  private static let television = """
    #EXTM3U
    #EXTINF:-1 tvg-id="one.example" tvg-chno="4" tvg-name="One, HD" tvg-logo="http://l/1.png" group-title="News" radio="true" catchup="default",One
    #EXTVLCOPT:http-user-agent=Mozilla/5.0
    #KODIPROP:inputstream=inputstream.adaptive
    #KODIPROP:inputstream.adaptive.manifest_type=mpd
    #EXTHTTP:{"Referer":"http://h/"}
    http://h/one.m3u8|User-Agent=X&Referer=http://h/
    #EXTINF:-1 group-title="News",Two
    #EXTVLCOPT:start-time=5
    http://h/two.m3u8

    """

  private func read(_ text: String, as name: String = "list.m3u") -> ParsedPlaylist {
    MemoryLoader([name: text]).read(name)
  }

  @Test("is kept with the entry, is no part of what is sent, and comes back on export")
  func kept() {
    let parsed = read(Self.television)
    #expect(parsed.messages == [])
    #expect(parsed.urls == ["http://h/one.m3u8", "http://h/two.m3u8"])
    let fields = parsed.playlist.drafts.map(\.foreign)
    #expect(fields[0].attributes.map(\.name) == ["tvg-id", "tvg-chno", "tvg-name", "radio", "catchup"])
    #expect(
      fields[0].lines == [
        "#EXTVLCOPT:http-user-agent=Mozilla/5.0", "#KODIPROP:inputstream=inputstream.adaptive",
        "#KODIPROP:inputstream.adaptive.manifest_type=mpd", #"#EXTHTTP:{"Referer":"http://h/"}"#,
        "|User-Agent=X&Referer=http://h/",
      ])
    #expect(fields[1].isEmpty, "what has a meaning here is not foreign")
    let written = PlaylistWriter(parsed.playlist, as: .m3u)
    #expect(written.losses == [])
    for line in Self.television.split(separator: "\n") where line.hasPrefix("#K") || line.hasPrefix("#EXTH") {
      #expect(written.text.contains(line))
    }
    #expect(
      written.text.contains(
        #"#EXTINF:-1 tvg-id="one.example" tvg-chno="4" tvg-name="One, HD" radio="true" catchup="default" tvg-logo="http://l/1.png" group-title="News",One"#
      ))
    #expect(written.text.contains("\nhttp://h/one.m3u8|User-Agent=X&Referer=http://h/\n"))
    let again = read(written.text)
    #expect(again.playlist.withoutPlaces == parsed.playlist.withoutPlaces, "\(written.text)")
  }

  @Test("castq's own format holds all of it; other formats name it as lost")
  func formats() {
    let playlist = read(Self.television).playlist
    for format in [PlaylistFormat.yaml, .json] {
      let text = PlaylistWriter(playlist, as: format).text
      #expect(
        read(text, as: "x.\(format.rawValue)").playlist.withoutPlaces == playlist.withoutPlaces, "\(text)")
    }
    #expect(PlaylistWriter(playlist, as: .jspf).losses.contains("JSPF does not hold foreign lines: entry 1"))
  }

  @Test("identifiers of XSPF and options of VLC come back in XSPF")
  func xspf() {
    let parsed = read(
      """
      <playlist xmlns="http://xspf.org/ns/0/" xmlns:vlc="v"><trackList><track><location>http://h/a.mp3</location>
      <identifier>urn:1</identifier><info>http://h/about</info>
      <extension application="http://www.videolan.org/vlc/playlist/0"><vlc:option>network-caching=9</vlc:option></extension>
      </track></trackList></playlist>
      """, as: "list.xspf")
    #expect(parsed.messages == [])
    let written = PlaylistWriter(parsed.playlist, as: .xspf)
    #expect(written.losses == [])
    for part in ["<identifier>urn:1<", "<info>http://h/about<", "<vlc:option>network-caching=9<"] {
      #expect(written.text.contains(part))
    }
    #expect(read(written.text, as: "again.xspf").playlist.withoutPlaces == parsed.playlist.withoutPlaces)
  }

  private static let guide = """
    #EXTM3U url-tvg="http://h/a.xml,http://h/b.xml" x-tvg-url=http://h/c.xml tvg-shift=2, user-agent="Kodi, 19" m3uautoload=1
    #EXTINF:-1 group-title="News",One
    #EXTGRP:World
    #EXTBYT:4096
    http://h/one.m3u8
    #EXTINF:-1 group-title="News",Two
    #EXTGRP:News
    http://h/two.m3u8

    """

  @Test("the attributes of #EXTM3U are those of the list, and stand at the head of an export")
  func header() {
    let parsed = read(Self.guide)
    #expect(parsed.messages == [])
    let fields = parsed.playlist.drafts.map(\.foreign)
    #expect(
      parsed.playlist.foreign.list.map { "\($0.name)=\($0.value)" } == [
        "url-tvg=http://h/a.xml,http://h/b.xml", "x-tvg-url=http://h/c.xml", "tvg-shift=2",
        "user-agent=Kodi, 19", "m3uautoload=1",
      ])
    #expect(fields[0].lines == ["#EXTBYT:4096"] && fields[0].list.isEmpty)
    #expect(fields[1].isEmpty, "the same group twice is one")
    let written = PlaylistWriter(parsed.playlist, as: .m3u)
    #expect(written.losses == [])
    #expect(
      written.text.hasPrefix(
        #"#EXTM3U url-tvg="http://h/a.xml,http://h/b.xml" x-tvg-url="http://h/c.xml" tvg-shift="2" user-agent="Kodi, 19" m3uautoload="1"\#n"#
      ))
    #expect(read(written.text).playlist.withoutPlaces == parsed.playlist.withoutPlaces, "\(written.text)")
    for format in [PlaylistFormat.pls, .xspf, .jspf] {
      #expect(
        PlaylistWriter(parsed.playlist, as: format).losses.contains(
          "\(format.rawValue.uppercased()) does not hold foreign attributes of the list"))
    }
  }

  @Test("of two lists the header is kept, and an export has both; that of a fallback list is none of them")
  func headers() {
    let loader = MemoryLoader([
      "a.m3u": "#EXTM3U url-tvg=\"A\"\n#CASTQ-QUEUE: fallback=c.m3u\nhttp://h/a.mp4\nb.m3u\n",
      "b.m3u": "#EXTM3U refresh=\"60\"\nhttp://h/b.mp4\n",
      "c.m3u": "#EXTM3U cache=\"9\"\nhttp://h/c.mp4\n",
    ])
    let parsed = loader.read("a.m3u")
    #expect(parsed.playlist.foreign.list.map(\.name) == ["url-tvg", "refresh"])
    #expect(parsed.playlist.drafts.allSatisfy { $0.foreign.isEmpty })
    #expect(parsed.playlist.fallback?.map { $0.foreign.list.map(\.name) } == [["cache"]])
    #expect(
      PlaylistWriter(parsed.playlist, as: .m3u).text.hasPrefix("#EXTM3U url-tvg=\"A\" refresh=\"60\"\n"))
  }

  @Test("a group of its own line wins, and one that #EXTINF names otherwise is kept beside it")
  func groups() {
    let parsed = read(Self.guide)
    #expect(parsed.playlist.drafts.map { $0.media.metadata?.values["group"] } == ["World", "News"])
    #expect(parsed.playlist.drafts[0].foreign.value("group-title") == "News")
    let text = PlaylistWriter(parsed.playlist, as: .m3u).text
    #expect(text.contains("#EXTINF:-1 group-title=\"News\",One\n#EXTGRP:World\n"), "\(text)")
  }

  private static let spiff = """
    <playlist xmlns="http://xspf.org/ns/0/" xmlns:x="urn:x"><link rel="urn:r">http://h/list</link>
    <extension application="urn:app"><x:a k="&quot;1&quot;">t &lt; u<b/></x:a> <c/></extension>
    <extension application="http://www.videolan.org/vlc/playlist/0"><x:item tid="0"/></extension>
    <trackList><track><location>http://h/a.mp3</location>
    <link rel="urn:r1">http://h/1</link><meta rel="urn:m">x &amp; y</meta><meta rel="urn:m">z</meta>
    <extension application="urn:app"><clip start="25000"/></extension></track></trackList></playlist>
    """

  private static let json = """
    {"playlist": {"link": [{"urn:r": "http://h/list"}], "extension": {"urn:app": [{"k": [1, "x"]}, "y"]},
    "track": [{"location": ["http://h/a.mp3"], "link": [{"urn:r1": "http://h/1"}],
    "meta": [{"urn:m": "x"}, {"urn:m": "y"}], "extension": {"urn:a": [true], "urn:b": ["z"]}}]}}
    """

  @Test(
    "links, metas and extensions of XSPF and JSPF come back in their format and in castq's own",
    arguments: [
      (PlaylistFormat.xspf, spiff, ["link", "xml", "link", "meta", "meta", "xml"]),
      (.jspf, json, ["link", "json", "json", "link", "meta", "meta", "json", "json"]),
    ])
  func notes(format: PlaylistFormat, text: String, kinds: [String]) {
    let parsed = read(text, as: "list.\(format.rawValue)")
    #expect(parsed.messages == [])
    func notes(_ playlist: Playlist) -> [ForeignNote] {
      playlist.foreign.notes + playlist.drafts[0].foreign.notes
    }
    let notes = notes(parsed.playlist)
    #expect(parsed.playlist.drafts[0].foreign.notes.allSatisfy { !$0.isOfList })
    #expect(Set(notes.map(\.kind.rawValue)) == Set(kinds) && notes.count == kinds.count)
    #expect(notes.contains(ForeignNote(.link, name: "urn:r", value: "http://h/list", isOfList: true)))
    for other in PlaylistFormat.allCases {
      let written = PlaylistWriter(parsed.playlist, as: other)
      let again = read(written.text, as: "again.\(other.rawValue)")
      if other == format || other.isNative {
        #expect(written.losses == [], "\(written.text)")
        #expect(again.playlist.foreign.notes == parsed.playlist.foreign.notes)
        #expect(
          Set(again.playlist.drafts[0].foreign.notes + again.playlist.foreign.notes) == Set(notes),
          "\(written.text)")
      } else {
        #expect(
          written.losses.contains("\(other.rawValue.uppercased()) does not hold foreign notes: entry 1"))
        #expect(written.losses[0].hasSuffix("foreign notes of the list"), "\(written.losses)")
      }
    }
    #expect(ForeignFields(json: parsed.playlist.drafts[0].foreign.json) == parsed.playlist.drafts[0].foreign)
  }

  @Test("what earlier versions wrote with the first entry becomes the list's")
  func earlier() {
    let old = """
      castq: 1
      entries:
        - url: http://h/a.mp4
          foreign:
            attributes: {tvg-id: a}
            list: {url-tvg: A}
            notes: [{kind: link, name: r, value: v, list: true}, {kind: link, name: s, value: v}]
        - http://h/b.mp4

      """
    let parsed = read(old, as: "x.yaml")
    #expect(parsed.messages == [])
    #expect(parsed.playlist.foreign.list.map(\.name) == ["url-tvg"])
    #expect(parsed.playlist.foreign.notes == [ForeignNote(.link, name: "r", value: "v", isOfList: true)])
    #expect(parsed.playlist.drafts[0].foreign.notes == [ForeignNote(.link, name: "s", value: "v")])
    var rows = parsed.playlist
    rows.drafts[0].foreign = rows.drafts[0].foreign.joined(with: rows.foreign)
    rows.foreign = ForeignFields()
    for format in PlaylistFormat.allCases {
      #expect(PlaylistWriter(rows, as: format).text == PlaylistWriter(parsed.playlist, as: format).text)
    }
    #expect(
      PlaylistWriter(rows, as: .yaml).text.contains(
        """
        foreign:
          attributes:
            url-tvg: A
        """))
  }

  @Test("an extension that is no whole XML cannot end the document that it is written into")
  func fragments() {
    for value in ["</extension><track/>", "</x><y/>", "<a>", "<!-- ", "&nope;", "<a k=1/>"] {
      let list = JSONValue.array([
        [
          "url": "http://h/a.mp3",
          "foreign": ["notes": [["kind": "xml", "name": "n", "value": .string(value)]]],
        ]
      ])
      let parsed = read(list.text, as: "x.json")
      #expect(parsed.messages == [])
      let written = PlaylistWriter(parsed.playlist, as: .xspf)
      #expect(written.losses == ["XSPF does not hold foreign notes: entry 1"], "\(value)")
      #expect(!written.text.contains("extension application=\"n\""))
    }
  }

  @Test("what is too long of a note, and what it cannot hold, is named")
  func longNotes() {
    let long = String(repeating: "y", count: 5000)
    let parsed = read(
      """
      <playlist xmlns="http://xspf.org/ns/0/" xmlns:p="urn:p"><trackList><track><location>http://h/a.mp3</location>
      <meta rel="m">\(long)</meta>
      <extension application="a"><b q:k="1"/></extension>
      </track></trackList></playlist>
      """, as: "list.xspf")
    #expect(
      parsed.messages == [
        "2:1: warning: `meta` is not kept for export", "3:1: warning: `extension` is not kept for export",
      ])
    let other = read(
      #"{"playlist": {"track": [{"location": "http://h/a.mp3", "meta": [{"m": 1}], "link": "x"}]}}"#,
      as: "list.jspf")
    #expect(
      other.messages == [
        "1:64: warning: a part of `meta` is not kept for export",
        "1:84: warning: a part of `link` is not kept for export",
      ])
  }

  @Test("is bounded in number and length, and what does not fit is named")
  func bounds() {
    let many = (0..<40).map { "a\($0)=\"x\"" }.joined(separator: " ")
    let long = String(repeating: "y", count: 2000)
    let lines = (0..<40).map { "#KODIPROP:p\($0)=1\n" }.joined()
    let parsed = read("#EXTINF:-1 \(many) long=\"\(long)\",T\n\(lines)http://h/a.m3u8\n")
    let fields = parsed.playlist.drafts[0].foreign
    #expect(fields.attributes.count == 32 && fields.lines.count == 32)
    #expect(
      parsed.messages.prefix(2) == [
        "1:258: warning: attributes that are too long or too many are not kept for export",
        "34:1: warning: the line is not kept for export",
      ])
    #expect(parsed.messages.count == 9)
  }

  @Test("a line cannot smuggle a directive or an address into an export")
  func smuggling() {
    let parsed = read(
      ##"[{"url":"http://h/a.mp4","foreign":{"lines":["#EXTVLCOPT:a\nhttp://evil/\n","#CASTQ: rate=2","file:///etc/passwd"],"attributes":{"x":"\"\nhttp://evil/","b c":"1"}}}]"##,
      as: "x.json")
    #expect(parsed.messages.count == 3)
    let text = PlaylistWriter(parsed.playlist, as: .m3u).text
    #expect(read(text).urls == ["http://h/a.mp4"], "\(text)")
    #expect(!text.contains("rate") && !text.contains("passwd"))
  }
}
