import Foundation
import Testing

/// A window, an announcement in it and another window, and a daemon that dies in the middle of them: `kill -9`, with real processes. What
/// happens at each single action is tried in virtual time (`ScheduledRunTests`).
@Suite("Rules whose daemon is killed", .timeLimit(.minutes(60)))
struct ScheduledKillTests {
  /// The ordinary run makes one; `CASTQ_KILLS=500` makes twenty.
  private static let kills =
    ProcessInfo.processInfo.environment["CASTQ_KILLS"].flatMap { Int($0) }.map { max(1, $0 / 25) } ?? 1
  private static let seed =
    ProcessInfo.processInfo.environment["CASTQ_KILL_SEED"].flatMap { UInt64($0) }
    ?? UInt64(Date().timeIntervalSince1970)

  @Test(
    "afterwards the right programme is on the screen, at its second, with one decision and no double play")
  func kills() async throws {
    try await Stage.with { stage in
      let receiver = try await Receiver(stage, speed: 1)
      try stage.add(device: "lobby", at: receiver.address)
      for (name, seconds) in [("base", 1200.0), ("lunch", 600), ("call", 10), ("mark", 600)] {
        try stage.tone("\(name).wav", seconds: seconds)
        try stage.file("\(name).m3u", "\(name).wav\n")
      }
      expectSilence(try await stage.castq("enqueue", "base.m3u"))
      var random = Congruence(state: Self.seed)
      var daemon = try stage.start(["daemon"])
      #expect(await receiver.playing() != nil, "\(daemon.stderr.text)")
      for number in 1...Self.kills {
        let begin = receiver.log.lines.count
        try stage.file("site.yaml", Self.site(number))
        #expect(try await stage.castq("schedule", "apply", "site.yaml").exit == 0)
        // As the window is loaded, a few messages later, or in the announcement.
        let load = try #require(await receiver.request("QUEUE_LOAD", from: begin))
        var moment = load
        switch random.next(below: 3) {
        case 0: break
        case 1: moment += 1 + Int(random.next(below: 12))
        default:
          moment = try #require(await receiver.request("QUEUE_LOAD", from: load + 1))
          moment += Int(random.next(below: 8))
        }
        #expect(await receiver.log.index(from: moment) { _ in true } != nil)
        daemon.signal(SIGKILL)
        _ = await daemon.ended()
        daemon = try stage.start(["daemon"])

        let lunch = try #require(await Self.shown("lunch", receiver, from: begin))
        let mark = try #require(await Self.shown("mark", receiver, from: lunch))
        let back = try #require(await Self.shown("base", receiver, from: mark))
        let lines = receiver.log.lines
        let said = "seed \(Self.seed), kill \(number), line \(moment - begin): \(daemon.stderr.text)"
        #expect(Self.starts(of: "call", in: lines[begin...back]) == 1, "\(said)")
        // The base goes on where it was: later than when it was last seen, and by no more than has passed.
        let before = lines[...lunch].compactMap { Self.position(of: "base", in: $0) }.last ?? 0
        let after = try #require(Self.position(of: "base", in: lines[back]))
        #expect((before...(before + 30)).contains(after), "\(before), \(after): \(said)")
        #expect(try await stage.status()["kind"]?.string == "base", "\(said)")
      }
      daemon.signal(SIGTERM)
      #expect(await daemon.ended().exit == 0)
      let decisions = try await Self.decisions(stage)
      #expect(decisions.count >= 4 * Self.kills)
      let doubles = zip(decisions, decisions.dropFirst()).filter { $0 == $1 }
      #expect(doubles.isEmpty, "\(decisions)")
      for number in 1...Self.kills {
        #expect(decisions.count { $0.hasPrefix("call\(number) ") } == 1, "\(decisions)")
      }
      let calls = try await stage.history().filter { $0["title"]?.string == "call" }
      #expect(calls.count == Self.kills, "\(calls)")
    }
  }

  /// The window begins in four seconds and takes twenty, the announcement comes in its middle, and the mark follows it. The announcement
  /// takes longer than a busy machine needs to start a daemon: one that is over before anybody has seen it is shown again.
  private static func site(_ number: Int) -> String {
    func time(_ seconds: Double) -> String {
      "\"\(Date(timeIntervalSinceNow: seconds).formatted(.iso8601).dropLast())\""
    }
    return """
      rules:
        lunch\(number): {play: lunch.m3u, devices: lobby, once: \(time(4)), tz: UTC, for: 20s}
        call\(number): {play: call.m3u, devices: lobby, once: \(time(9)), tz: UTC, interrupt: true, priority: 5, missed: run}
        mark\(number): {play: mark.m3u, devices: lobby, once: \(time(28)), tz: UTC, for: 15s, priority: 1}

      """
  }

  /// The line in which the receiver says that it plays a title.
  private static func shown(_ title: String, _ receiver: Receiver, from line: Int) async -> Int? {
    await receiver.log.index(from: line) { position(of: title, in: $0) != nil }
  }

  private static func position(of title: String, in line: String) -> Double? {
    guard line.contains(#""dir":"out""#), line.contains(#""playerState":"PLAYING""#),
      let status = (try? Document(line))?["data"]?["status"]?.elements.first,
      status["media"]?["metadata"]?["title"]?.string == title
    else { return nil }
    return status["currentTime"]?.number
  }

  /// How often it was begun: by its loads, and its items in them.
  private static func starts(of title: String, in lines: ArraySlice<String>) -> Int {
    var starts: Set<[Int]> = []
    for line in lines where position(of: title, in: line) != nil {
      guard let status = (try? Document(line))?["data"]?["status"]?.elements.first else { continue }
      starts.insert([status["mediaSessionId"]?.int ?? 0, status["currentItemId"]?.int ?? 0])
    }
    return starts.count
  }

  /// `RULE OCCURRENCE`, or `base`, in the order in which they were made.
  private static func decisions(_ stage: Stage) async throws -> [String] {
    let script = """
      import sqlite3, sys
      for rule, at in sqlite3.connect(sys.argv[1]).execute("SELECT rule_name, occurrence FROM decision ORDER BY id"):
          print(f"{rule} {at}" if rule else "base")
      """
    try stage.file("decisions.py", script)
    return try await stage.shell("python3 '\(stage.folder)/decisions.py' '\(stage.database)'").ended().stdout
      .split(separator: "\n").map(String.init)
  }
}
