import CastqOperations
import CastqStore
import CastqText
import Foundation
import Testing

/// A source in which something is wrong, and what becomes of it.
struct BadSource: CustomTestStringConvertible, Sendable {
  /// What is wrong.
  let testDescription: String
  /// Files of the site by name; `WEB` in a text is the address of the web server.
  var files: [String: String] = [:]
  /// Pages of the web server by name.
  var web: [String: String] = [:]
  let source: String
  /// How a command ends that takes it; nil is well.
  let exit: CastqText.ExitStatus?
  /// What messages say, each in one of them.
  let words: [String]
  /// Names of the entries that are queued.
  var queued: [String] = []
  /// More preparation, in a folder; 0 when it is done.
  var prepare: @Sendable (String) -> Int32 = { _ in 0 }

  private static let good = "http://127.0.0.1:1/good.mp4"
  private static let bomb =
    "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + zip("abcdefghi", "bcdefghij").map {
      "\($1): &\($1) [\(Array(repeating: "*\($0)", count: 9).joined(separator: ","))]\n"
    }.joined()

  static let table = [
    BadSource(
      testDescription: "a file that is missing", source: "gone.m3u", exit: .inputMissing,
      words: ["no such file: gone.m3u"]),
    BadSource(
      testDescription: "a file that may not be read", files: ["shut.m3u": good], source: "shut.m3u",
      exit: .inputOutput,
      words: ["shut.m3u:1:1: cannot read shut.m3u: Permission denied"],
      prepare: { chmod("\($0)/shut.m3u", 0) }),
    BadSource(
      testDescription: "a folder in which a link leads back to it",
      files: ["d/a.mp4": "", "d/list.m3u": "\(good)\n"],
      source: "d", exit: nil, words: [], queued: ["a.mp4", "good.mp4"],
      prepare: { symlink("../d", "\($0)/d/again") }
    ),
    BadSource(
      testDescription: "two gigabytes in one line", source: "long.m3u", exit: .inputOutput,
      words: ["long.m3u:1:1: cannot read long.m3u: it is larger than 67108864 bytes"],
      prepare: {
        close(open("\($0)/long.m3u", O_CREAT | O_WRONLY, 0o600)) + truncate("\($0)/long.m3u", 2 << 30)
      }),
    BadSource(
      testDescription: "a line that is too long",
      files: ["wide.m3u": String(repeating: "x", count: 70_000) + "\n\(good)\n"],
      source: "wide.m3u", exit: .badData, words: ["wide.m3u:1:1: "], queued: ["good.mp4"]),
    BadSource(
      testDescription: "junk named .m3u", source: "junk.m3u", exit: .badData,
      words: ["junk.m3u:1:1: it is not a playlist: it holds bytes that no text has"],
      prepare: {
        close(open("\($0)/junk.m3u", O_CREAT | O_WRONLY, 0o600)) + truncate("\($0)/junk.m3u", 100_000)
      }),
    BadSource(
      testDescription: "a web page that was saved as a list",
      files: ["page.m3u": "\u{FEFF}\n <!DOCTYPE html>\n<html><title>Log in</title></html>\n"],
      source: "page.m3u", exit: .badData,
      words: ["page.m3u:1:1: it is a web page, not a playlist; look at it in a browser"]),
    BadSource(
      testDescription: "a letter that is called a list",
      files: ["letter.m3u": "Dear all,\nthe film is late.\n"],
      source: "letter.m3u", exit: .badData,
      words: ["letter.m3u:1:1: no such file: Dear all,", "letter.m3u:2:1: no such file: the film is late."]),
    BadSource(
      testDescription: "aliases that multiply", files: ["bomb.yaml": bomb], source: "bomb.yaml",
      exit: .badData,
      words: ["bomb.yaml:6:4: more than 4000000 values, aliases counted in full"]),
    BadSource(
      testDescription: "nesting without end", files: ["deep.json": String(repeating: "[", count: 100_000)],
      source: "deep.json", exit: .badData, words: ["deep.json:1:41: nested more than 40 deep"]),
    BadSource(
      testDescription: "lists that name each other",
      files: ["a.m3u": "\(good)\nb.m3u\nWEB/two.mp4\n", "b.m3u": "a.m3u\n"],
      source: "a.m3u", exit: .badData,
      words: ["b.m3u:1:1: the playlist includes itself: "],
      queued: ["good.mp4", "two.mp4"]),
    BadSource(
      testDescription: "redirections without end", files: ["l.m3u": "WEB/loop/x.m3u\n\(good)\n"],
      source: "l.m3u",
      exit: .inputOutput, words: ["l.m3u:1:1: cannot fetch", "more than 5 redirections"], queued: ["good.mp4"]
    ),
    BadSource(
      testDescription: "a path that climbs out", files: ["up.m3u": "../../../../../../etc/passwd\n\(good)\n"],
      source: "up.m3u", exit: .badData, words: ["up.m3u:1:1: unknown kind of media"], queued: ["good.mp4"]),
    BadSource(
      testDescription: "a list of the web that climbs out of its server",
      web: ["up.m3u": "/../../etc/passwd.mp4\nfile:///etc/passwd\n"], source: "WEB/up.m3u", exit: .badData,
      words: ["up.m3u:2:1: a playlist from the network may not name local files"], queued: ["passwd.mp4"]),
    BadSource(
      testDescription: "a list of the web that names a local file in another member, which is left out",
      web: [
        "own.yaml":
          "entries:\n- {url: \(good), content_id: \"file:///etc/passwd\"}\n- {url: \"file:///etc/passwd\"}\n- \(good)\n"
      ],
      source: "WEB/own.yaml", exit: .badData,
      words: [
        "own.yaml:2:50: a playlist from the network may not name local files",
        "own.yaml:3:9: a playlist from the network may not name local files",
      ], queued: ["good.mp4", "good.mp4"]),
    BadSource(
      testDescription: "line ends in a header and in an address",
      files: [
        "inject.m3u": "#EXTVLCOPT:http-user-agent=x\u{0B}y\nhttp://127.0.0.1:1/a\u{0B}b.mp4\n\(good)\n"
      ],
      source: "inject.m3u", exit: .badData, words: ["inject.m3u:2:21: a control character"],
      queued: ["good.mp4"]),
    BadSource(
      testDescription: "a film that is called a list",
      files: ["film.m3u8": "\0\0\0\u{20}ftypisom\0\0\u{2}\0isom"],
      source: "film.m3u8", exit: .badData,
      words: ["film.m3u8:1:1: it is not a playlist"]),
    BadSource(
      testDescription: "a list with nothing in it", files: ["bare.m3u": "#EXTM3U\n"], source: "bare.m3u",
      exit: .badData, words: ["nothing to play"]),
    BadSource(
      testDescription: "a document with nothing in it", files: ["bare.json": "[]"], source: "bare.json",
      exit: .badData, words: ["nothing to play"]),
    BadSource(
      testDescription: "a path of Windows",
      files: ["win.m3u": "C:\\films\\a.mp4\nfile:///C:/a.mp4\n\(good)\n"], source: "win.m3u",
      exit: .badData, words: ["win.m3u:1:1: C:\\films\\a.mp4 is a path of Windows", "win.m3u:2:1: "],
      queued: ["good.mp4"]),
  ]
}

/// The table of bad sources: each has its words, its end, and what is queued in spite of it, exactly once.
@Suite("Bad sources")
struct BadSourceTests {
  @Test(
    "what is wrong is told with its place, and the rest is queued exactly once", arguments: BadSource.table)
  func bad(_ bad: BadSource) async throws {
    let site = try OperationsSite()
    let server = try await PageServer(bad.web.merging(["two.mp4": "film"]) { first, _ in first })
    func placed(_ text: String) -> String { text.replacing("WEB", with: server.address) }
    for (name, text) in bad.files {
      if let slash = name.lastIndex(of: "/") { try site.folder(String(name[..<slash])) }
      try site.file(name, placed(text))
    }
    try #require(bad.prepare(site.folder) == 0)
    let source = bad.source.hasPrefix("WEB") ? placed(bad.source) : "\(site.folder)/\(bad.source)"
    let request = SourceRequest(sources: [source], recursive: bad.source == "d")
    let queue = try await site.queue()
    let list = await queue.read(request, isStrict: false)
    var told = list.told(quietly: false).map { "\($0)" }
    #expect(told.count <= 12, "\(told)")
    do throws(Failure) {
      _ = try await queue.add(list, .end, plays: false, isStrict: false)
      #expect(list.failure?.exit == bad.exit, "\(told)")
      if let failure = list.failure { told.append(failure.shownMessage) }
    } catch {
      #expect(error.exit == bad.exit, "\(error)")
      told.append(error.shownMessage)
    }
    let said = told.joined(separator: "\n").replacing("\(site.folder)/", with: "")
    for words in bad.words { #expect(said.contains(words), "\(said)") }
    #expect(
      !said.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value) })
    #expect(try await site.urls().map { $0.split(separator: "/").last.map(String.init) } == bad.queued)
    #expect(try await !site.urls().contains { $0.contains("file:///etc") })
    // A look at it without a queue finds the same, and each problem has a place.
    var call = site.call
    call.device = []
    let report = try await MediaCheck(call: call, request: request).report().list
    #expect(report.failure?.exit == bad.exit, "\(report.issues)")
    #expect(report.issues.allSatisfy { $0.located.contains(#/:\d+:\d+: /#) }, "\(report.issues)")
    #expect(bad.exit == nil || !report.issues.isEmpty)
  }
}
