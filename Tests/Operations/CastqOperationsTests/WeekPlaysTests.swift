import CastGuard
import CastProtocol
import CastqDaemon
import CastqFeeding
import CastqOperations
import CastqStore
import CastqText
import Testing

@Suite("Plays of the last seven days")
struct WeekPlaysTests {
  private let site: OperationsSite

  /// Two files and a programme: plays of this week, one that failed without beginning, one that began before the week and one of long ago.
  private static let history = """
    import os, sqlite3, sys, time
    db, folder = sqlite3.connect(sys.argv[1]), os.path.dirname(sys.argv[1])
    now, hour = int(time.time() * 1000), 3_600_000
    db.execute("INSERT INTO decision (id, device_id, device_name, at, until, kind, rule_id, rule_name, revision, programme, occurrence, "
      "starts_at, ends_at, reason) VALUES (1, 1, 'lobby', ?, ?, 'rule', 1, 'r', 1, 'menus', '2026-10-25T01:00', ?, ?, 'r')",
      (now - 2 * hour, now, now - 2 * hour, now))
    rows = [("a b", 1, 0.5, 1), ("a b", 2, 0.5, 1), ("a b", 167, 0.5, None), ("a b", None, 3, None), ("a b", 170, 5, None),
      ("a b", 400, 1, None), ("c", 30, 1, None), ("d", 400, 1, None)]
    for number, (name, ago, hours, decision) in enumerate(rows):
        start = None if ago is None else now - int(ago * hour)
        end = now - int(hours * hour) if start is None else start + int(hours * hour)
        db.execute("INSERT INTO play (entry_id, turn, device_id, device_name, title, url, started_at, ended_at, played_s, outcome, evidence, "
          "decision_id) VALUES (?, 1, 1, 'lobby', 'x', ?, ?, ?, ?, 'failed', 'reported', ?)",
          (number + 1, "file://" + folder + "/media/" + name.replace(" ", "%20") + ".mp4", start, end, 0 if start is None else 1, decision))
    db.execute("INSERT INTO programme (id, name, source, created_at) VALUES (1, 'menus', 'http://192.0.2.1/menus.m3u', 1)")
    db.commit()
    """

  init() async throws {
    site = try OperationsSite()
    try site.folder("media")
    for name in ["a b", "c", "d"] { try site.file("media/\(name).mp4", "x") }
    try site.configure("library: {folders: [\(site.folder)/media]}\nprograms: {ffprobe: off, ffmpeg: off}\n")
    try await site.python(Self.history)
  }

  @Test("a file and a programme have as many plays as the report of the same days counts")
  func counts() async throws {
    let workspace = try Workspace(site.call)
    let art = ArtBook(allowing: { _ in LocalPlaces() })
    let library = MediaLibrary(site.call, workspace, art)
    let items = try #require(try await library.document(LibraryQuery())["items"]?.array)
    let shown = Dictionary(
      uniqueKeysWithValues: items.map { ($0["name"]?.string ?? "", $0["plays_week"]?.int ?? -1) })
    let period = try PeriodQuery(since: TimeArgument("-7d")).read(site.call)
    let report = try await ReportRun(site.call, period).document(.plays, by: .media).json
    var counted: [String: Int] = ["d.mp4": 0]
    for row in try #require(report["rows"]?.array) {
      let url = row["media"]?.string ?? ""
      counted[url.hasSuffix("a%20b.mp4") ? "a b.mp4" : "c.mp4"] = row["plays"]?.int
    }
    #expect(shown == counted && shown == ["a b.mp4": 4, "c.mp4": 1, "d.mp4": 0], "\(shown) \(counted)")
    let shelf = try await ProgrammeShelf(site.call, library, art).document()
    #expect(shelf["programmes"]?.array?.first?["plays_week"]?.int == 2, "\(shelf)")
  }
}
