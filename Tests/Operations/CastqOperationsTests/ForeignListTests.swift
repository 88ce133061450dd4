import CastProtocol
import CastqFeeding
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText
import Foundation
import Testing

/// Lists as servers, Macs, Windows and MPD have them.
@Suite("Lists of the web and of other systems")
struct ForeignListTests {
  /// An answer of a server, and what it is.
  struct Answer: Sendable, CustomTestStringConvertible {
    var name = "get"
    var head: String
    var body: String
    /// `NAME TYPE` of each entry.
    var entries: [String]
    var source: String
    var testDescription: String { source }
  }

  private static let m3u = "#EXTM3U\nhttp://h.example/a.mp3\n"
  private static let sound = ["a.mp3 audio/mpeg"]
  private static let xspf =
    "<playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\"><trackList><track><location>http://h.example/a.mp3</location></track></trackList></playlist>"

  private let site: OperationsSite

  init() throws { site = try OperationsSite() }

  @Test(
    "what an address is, its first bytes show before its type and its name; check says what enqueue takes",
    arguments: [
      Answer(
        head: "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"tv.m3u\"",
        body: m3u, entries: sound, source: "IPTV panels: get.php?type=m3u_plus"),
      Answer(
        head: "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"tv.m3u\"",
        body: "a.mp3\n", entries: sound, source: "RFC 6266: the name alone"),
      Answer(
        head:
          "Content-Type: text/html\nContent-Disposition: attachment; filename=x.mp4; filename*=UTF-8''t%C3%A9.m3u",
        body: "a.mp3\n", entries: sound, source: "RFC 6266, 4.3: filename* goes first"),
      Answer(head: "Content-Type: text/plain", body: m3u, entries: sound, source: "#EXTM3U as text"),
      Answer(head: "Content-Type: text/html", body: m3u, entries: sound, source: "#EXTM3U as a page"),
      Answer(head: "X-None: 1", body: m3u, entries: sound, source: "#EXTM3U without a type"),
      Answer(head: "Content-Type: video/mp4", body: m3u, entries: sound, source: "#EXTM3U as a film"),
      Answer(
        head: "Content-Type: application/octet-stream", body: "[playlist]\nFile1=http://h.example/a.mp3\n",
        entries: sound, source: "PLS"),
      Answer(
        head: "Content-Type: text/html", body: "\u{FEFF}\n<?xml version=\"1.0\"?>\n<!-- x -->\n" + xspf,
        entries: sound, source: "XSPF with a mark, a blank line and a comment"),
      Answer(
        head: "Content-Type: text/plain",
        body: "{\"playlist\": {\"track\": [{\"location\": [\"http://h.example/a.mp3\"]}]}}", entries: sound,
        source: "JSPF"),
      Answer(
        head: "Content-Type: text/plain", body: "castq: 1\nentries: [\"http://h.example/a.mp3\"]\n",
        entries: sound, source: "castq's own format"),
      Answer(
        head: "Content-Type: text/plain", body: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n",
        entries: ["get application/x-mpegurl"], source: "RFC 8216: a stream of HLS is a medium"),
      Answer(
        head: "Content-Type: audio/x-mpegurl", body: "\u{0}\u{0}\u{0}\u{20}ftypisom\u{0}\u{0}",
        entries: ["get video/mp4"], source: "a film that is called a list"),
      Answer(
        head: "Content-Type: audio/x-mpegurl", body: "ID3\u{4}\u{0}", entries: ["get audio/mpeg"],
        source: "sound that is called a list"),
      Answer(
        name: "get.m3u", head: "Content-Type: audio/mpeg", body: m3u, entries: sound,
        source: "a list that is called sound"),
      Answer(
        name: "get.m3u", head: "Content-Type: text/html", body: xspf, entries: sound,
        source: "XSPF under the name of M3U"),
      Answer(
        head: "Content-Type: text/html", body: "<!DOCTYPE html><p>#EXTM3U", entries: ["get text/html"],
        source: "a page"),
      Answer(
        head: "Content-Type: application/octet-stream", body: "\u{1}\u{2}", entries: ["get video/mp4"],
        source: "nothing shows it: a film is assumed"),
    ])
  func web(test: Answer) async throws {
    let fields = test.head.split(separator: "\n").map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
    let page = PageServer.Page(text: test.body, head: Dictionary(fields) { $1 })
    let server = try await PageServer([test.name: page])
    let address = "\(server.address)/\(test.name)"
    let check = try await site.check(address).list
    let list = try await site.read(address)
    #expect(check.failure == nil && list.failure == nil, "\(list.issues)")
    #expect(check.issues.map(\.located) == list.told(quietly: false).map(\.description))
    try await site.enqueue(list)
    let entries = try await site.entries().map { entry in
      let name = entry.draft.media.url.split(separator: "/").last.map(String.init) ?? "-"
      return "\(name) \(entry.draft.media.contentType ?? "audio/mpeg")"
    }
    #expect(entries == test.entries)
  }

  @Test("a list of a kind that is not read is named, and is no film")
  func unread() async throws {
    let server = try await PageServer([
      "get": PageServer.Page(
        text: "<ASX version=\"3.0\"><entry><ref href=\"http://h.example/a.mp3\"/></entry></ASX>",
        head: ["Content-Type": "video/x-ms-asf"])
    ])
    let address = "\(server.address)/get"
    for list in [try await site.check(address).list, try await site.read(address)] {
      #expect(list.drafts.isEmpty && list.failure?.exit == .badData)
      #expect(
        list.failure?.message.contains("it is a list of a kind that is not read: ASX; castq reads") == true)
    }
    #expect(try await site.urls() == [])
  }

  @Test("of the addresses in a list check says that it asks with --online, and then takes what enqueue takes")
  func inList() async throws {
    let server = try await PageServer([
      "get": PageServer.Page(text: Self.m3u, head: ["Content-Type": "application/octet-stream"])
    ])
    let list = try site.file("l.m3u", "\(server.address)/get\n")
    let check = try await site.check(list).list
    #expect(check.failure == nil && check.issues.count == 1)
    #expect(check.issues.first?.located.contains("(check asks its server with --online)") == true)
    let asked = try await site.check(list, asksServers: true).list.issues
    #expect(asked.contains { $0.located.contains("h.example") }, "\(asked)")
    let read = try await site.read(list)
    #expect(read.issues.isEmpty)
    #expect(try await site.enqueue(read).added.map(\.draft.media.url) == ["http://h.example/a.mp3"])
  }

  /// `がCafé/Zoë.wav` as a Mac writes it, in decomposed letters, and lists that write it in composed ones.
  @Test(
    "letters are found however they are composed, on the disk and in the list, folders too",
    arguments: [false, true], ["m3u8", "pls", "xspf"])
  func composition(isComposedOnDisk: Bool, format: String) async throws {
    let name = "がCafé/Zoë.wav"
    func spelled(isComposed: Bool) -> String {
      isComposed ? name.precomposedStringWithCanonicalMapping : name.decomposedStringWithCanonicalMapping
    }
    let path = spelled(isComposed: isComposedOnDisk)
    try site.folder(String(path.prefix { $0 != "/" }))
    try site.file(path, "tone")
    let line = spelled(isComposed: !isComposedOnDisk)
    #expect(Array(line.utf8) != Array(path.utf8))
    let text =
      switch format {
      case "m3u8": "\(line)\n\(line)\n"
      case "pls": "[playlist]\nFile1=\(line)\nFile2=\(line)\n"
      default:
        "<playlist version='1' xmlns='http://xspf.org/ns/0/'><trackList>"
          + String(repeating: "\n<track><location>\(line)</location></track>", count: 2)
          + "</trackList></playlist>"
      }
    let list = try site.file("l.\(format)", text)
    let check = try await site.check(list).list
    #expect(check.failure == nil && check.issues.count == 1, "\(check.issues)")
    let place = format == "m3u8" ? 1 : 2
    #expect(
      check.issues.first?.located.hasPrefix("\(list):\(place):") == true
        && check.issues.first?.located.contains(": note: letters are composed in another way") == true,
      "\(check.issues)")
    let read = try await site.read(list)
    #expect(read.told(quietly: false).map(\.description) == check.issues.map(\.located))
    #expect(try await site.enqueue(read).added.count == 2)
  }

  @Test("a list of Windows plays its files, each rule is said once, and two files are never guessed at")
  func windows() async throws {
    try site.folder("Music")
    for name in ["Music/Song.WAV", "top.wav", "Music/two.wav", "Music/TWO.wav"] {
      try site.file(name, "tone")
    }
    let folder = (site.folder as NSString).lastPathComponent
    let list = try site.file(
      "l.m3u", "Music\\Song.WAV\r\n..\\\(folder)\\top.wav\r\nmusic\\song.wav\r\nMusic/Two.wav\r\n")
    let read = try await site.read(list)
    #expect(read.failure?.exit == .badData)
    let told = read.told(quietly: false).map(\.description)
    let words = [
      ":1:1: note: `\\` was read as `/`", ":3:1: note: capitals are others",
      ":4:1: two files may be meant: ",
    ]
    #expect(told.count == 3 && zip(told, words).allSatisfy { $0.hasPrefix(list + $1) }, "\(told)")
    let urls = try await site.enqueue(read).added.map(\.draft.media.url)
    #expect(urls.map { $0.split(separator: "/").last } == ["Song.WAV", "top.wav", "Song.WAV"])
  }
}
