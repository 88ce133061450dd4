import CastProtocol
import CastqPlaylists
import CastqText
import Testing

/// Headers that a device does not send.
struct DemandedHeadersTests {
  @Test(
    "an address that a list wants to be asked with headers is warned of at its line",
    arguments: [
      (
        "#EXTVLCOPT:http-referrer=http://h/\n#EXTVLCOPT:HTTP-User-Agent=X\nhttp://h/a.m3u8",
        ["Referer", "User-Agent"]
      ),
      (
        "#KODIPROP:inputstream.adaptive.stream_headers=Origin=x&referer=y\nhttp://h/a.mpd",
        ["Origin", "referer"]
      ),
      ("http://h/a.m3u8|User-Agent=X%20Y&Cookie=a", ["User-Agent", "Cookie"]),
      // IPTV.bundle 164.
      ("#EXTVLCOPT: http-user-agent = VLPLAYER / 8.5\nhttp://h/a.m3u8", ["User-Agent"]),
      // Kodi's `CCurlFile::ParseAndCorrectUrl`: its own options, and headers behind an exclamation mark.
      ("http://h/a.m3u8|encoding=gzip&accept-charset=x", ["encoding", "accept-charset"]),
      ("http://h/a.m3u8|redirect-limit=3&!X-Key=a", ["redirect-limit", "!X-Key"]),
      ("http://h/a.m3u8|!Referer=x", ["!Referer"]),
      ("#EXTHTTP:{\"cookie\":\"a\",\"User-Agent\":\"X\"}\nhttp://h/a.m3u8", ["User-Agent", "cookie"]),
      (
        "#EXTINF:-1 http-user-agent=\"X\" referrer=y,T\nhttp://h/a.m3u8|user-agent=Z",
        ["User-Agent", "Referer"]
      ),
      ("#EXTM3U user-agent=\"X\"\nhttp://h/a.m3u8", ["User-Agent"]),
      ("#EXTM3U user-agent=\"X\"\na.mp4\nhttp://h/a.m3u8", ["User-Agent"]),
      ("#EXTVLCOPT:network-caching=9\n#KODIPROP:inputstream=x\n#EXTHTTP:no\nhttp://h/a.m3u8|x", []),
      ("#EXTVLCOPT:http-user-agent=X\na.mp4", []),
    ] as [(String, [String])])
  func demandedHeaders(text: String, names: [String]) {
    let parsed = MemoryLoader(["list.m3u": text], media: ["a.mp4"]).read("list.m3u")
    let line = text.split(separator: "\n").count
    let issues = DemandedHeaders.issues(of: parsed.playlist.drafts, in: parsed.playlist.foreign)
    let words =
      "the list wants this address to be asked with \(names.joined(separator: ", ")), and a Cast device"
    #expect(issues.map(\.severity) == (names.isEmpty ? [] : [.warning]))
    #expect(
      issues.allSatisfy { $0.line == line && $0.message.hasPrefix(words) && $0.hint != nil }, "\(issues)")
  }
}
