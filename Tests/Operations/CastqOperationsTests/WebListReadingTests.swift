import CastProtocol
import CastqOperations
import CastqPlaylists
import CastqStore
import CastqText
import Testing

@Suite("Playlists on the web, as they are read")
struct WebListReadingTests {
  private static let hls = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nseg0.ts\n"

  private let site: OperationsSite

  init() throws { site = try OperationsSite() }

  @Test(
    "a list is fetched, with the lists it names; its lines belong to where it really is, never to this machine"
  )
  func list() async throws {
    let mine = try site.file("mine.mp4", "")
    let text = "#EXTM3U\na.mp4\n/b.mp4\nsub/more.m3u\nfile://\(mine)\n../c.mp4\n"
    let server = try await PageServer([
      "lists/now.m3u": text, "lists/sub/more.m3u": "d.mp4\n/lists/live.m3u8\n",
    ])
    let source = server.address + "/moved/lists/now.m3u"
    let read = try await site.read(source)
    #expect(read.failure?.exit == .badData)
    let told = read.told(quietly: false).map(\.description)
    #expect(told.count == 1, "\(told)")
    #expect(
      told.first?.hasPrefix("\(source):5:1: a playlist from the network may not name local files: ") == true,
      "\(told)")
    let names = ["lists/a.mp4", "b.mp4", "lists/sub/d.mp4", "lists/live.m3u8", "c.mp4"]
    try await site.enqueue(read)
    #expect(try await site.urls() == names.map { "\(server.address)/\($0)" })
  }

  @Test("a list of the network that names a file of this machine is told so, and the file gets nowhere")
  func foreignFile() async throws {
    let text = """
      castq: 1
      entries:
        - content_id: file:///etc/hostname
          type: video/mp4
        - url: http://media.example/a.mp4
          breaks: [{position: 1, clips: [{id: c, content_id: "FILE:/etc/hostname"}]}]

      """
    let server = try await PageServer(["l.yaml": text])
    let source = server.address + "/l.yaml"
    let words = "a playlist from the network may not name local files"
    let read = try await site.read(source)
    for list in [read, try await site.check(source).list] {
      #expect(list.failure?.exit == .badData)
      let lines = list.issues.map(\.located)
      #expect(lines.count == 2, "\(lines)")
      #expect(lines.first?.hasPrefix("\(source):3:17: \(words)") == true, "\(lines)")
      #expect(lines.last?.hasPrefix("\(source):6:56: \(words)") == true, "\(lines)")
    }
    #expect(try await site.urls() == [])
    try await site.enqueue(read)
    #expect(try await site.urls() == ["http://media.example/a.mp4"])
    _ = try await site.queue().replace(with: read, isStrict: false)
    #expect(try await site.urls() == ["http://media.example/a.mp4"])
    #expect(try await !site.queue().exported(as: .yaml).text.lowercased().contains("file:"))
  }

  @Test("an .m3u8 is told by its tags: a stream is one entry, a list is its entries; a file may name either")
  func streams() async throws {
    let server = try await PageServer([
      "live.m3u8": Self.hls, "list.m3u8": "a.mp4\nb.mp4\n", "stream.m3u": Self.hls,
    ])
    let web = server.address
    let local = try site.file("local.m3u", "\(web)/list.m3u8\n\(web)/stream.m3u\n")
    let read = try await site.read(web + "/live.m3u8", web + "/list.m3u8", local)
    #expect(read.issues.isEmpty, "\(read.issues)")
    let names = ["live.m3u8", "a.mp4", "b.mp4", "list.m3u8", "stream.m3u"]
    #expect(read.drafts.map(\.media.url) == names.map { "\(web)/\($0)" })
  }

  @Test("a stream that cannot be looked into is taken with a warning, since the device may reach it")
  func unreachableStream() async throws {
    let source = "http://127.0.0.1:1/live.m3u8"
    let read = try await site.read(source)
    #expect(read.failure == nil)
    let told = read.told(quietly: false).map(\.description)
    #expect(
      told.count == 1
        && told[0].contains("an HLS stream is assumed: nothing listens at 127.0.0.1:1"), "\(told)")
    try await site.enqueue(read)
    #expect(try await site.urls() == [source])
  }

  @Test(
    "a list that cannot be had says why, and nothing is enqueued",
    arguments: [
      ("/gone.m3u", "404 Not Found"), ("/page.m3u", "a web page"),
      ("/never/x.m3u", "was not received within 0.3 s"),
      ("/moved/moved/moved/moved/moved/moved/page.m3u", "more than 5 redirections"),
    ])
  func failures(path: String, words: String) async throws {
    let server = try await PageServer(["page.m3u": "\n<!DOCTYPE html>\n<p>Please sign in\n"])
    let read = try await site.read(
      server.address + path, timeout: path.hasPrefix("/never") ? .milliseconds(300) : nil)
    #expect(read.told(quietly: false).isEmpty, "one line is the command's error")
    await expectFailure(.inputOutput, saying: words) { try await site.enqueue(read) }
    #expect(try await site.urls() == [])
  }

  @Test(
    "user, password and query of an address are in no message and in no error document",
    arguments: [
      "/gone.m3u", "/page.m3u", "/moved/gone.m3u", "/gone.m3u8", "/bad.yaml", "/lists.m3u",
      "/never/x.m3u",
    ])
  func secrets(path: String) async throws {
    let server = try await PageServer([
      "page.m3u": "\n<!DOCTYPE html>\n<p>\n",
      "bad.yaml": "- {url: 7, titel: x}\n- a.unknown?key=s3cret\n",
      "lists.m3u": "/gone.m3u?key=s3cret\nrtsp://u:hunter2@h/x?s3cret\n",
    ])
    let source =
      server.address.replacing("http://", with: "http://u:hunter2@") + path + "?token=s3cret#s3cret"
    let read = try await site.read(source, timeout: .milliseconds(300))
    let check = try await site.check(source, timeout: .milliseconds(300))
    if path != "/gone.m3u8" { #expect(read.failure != nil && check.list.failure != nil) }
    var told = read.told(quietly: false).map(\.description) + check.list.issues.map(\.located)
    told.append(check.json.text)
    for failure in [read.failure, check.list.failure].compactMap({ $0 }) {
      told += [failure.shownMessage, failure.document.text]
    }
    var taken: [String] = []
    do { taken.append(try await site.enqueue(read).json.text) } catch let failure as Failure {
      told += [failure.shownMessage, failure.document.text]
    }
    // What was taken is told with its address, since that is what is played.
    if path != "/gone.m3u8", path != "/bad.yaml" { told += taken }
    #expect(told.contains { !$0.isEmpty })
    for secret in ["hunter2", "s3cret"] {
      #expect(told.filter { $0.contains(secret) } == [])
    }
  }

  @Test("no more than 64 lists are fetched for one command, however they name each other")
  func fetches() async throws {
    var files = ["top.m3u": (0..<40).map { "a\($0).m3u\n" }.joined()]
    for outer in 0..<40 {
      files["a\(outer).m3u"] = (0..<10).map { "b\(outer)-\($0).m3u\n" }.joined()
      for inner in 0..<10 { files["b\(outer)-\(inner).m3u"] = "film\(outer)-\(inner).mp4\n" }
    }
    let server = try await PageServer(files)
    let read = try await site.read(server.address + "/top.m3u")
    #expect(read.failure != nil)
    #expect(read.issues.contains { $0.description.contains("more than 64 playlists") })
    // In the order in which they stand: the first list, six below it, and what those name; each of the rest has one film.
    let films = read.drafts.map(\.media.url)
    #expect(films.count == 64 - 7)
    #expect(films.first?.hasSuffix("/film0-0.mp4") == true && films.last?.hasSuffix("/film5-6.mp4") == true)
  }
}
