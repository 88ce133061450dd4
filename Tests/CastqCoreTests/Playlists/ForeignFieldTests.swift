import CastProtocol
import CastqCore
import Testing

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
    #expect(PlaylistWriter(playlist, as: .jspf).losses.contains("JSPF does not hold foreign: entry 1"))
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
