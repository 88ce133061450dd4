import CastProtocol
import CastqFeeding
import CastqTerminal
import CastqText
import Testing

@Suite("The rules of the remote")
struct RemoteMachineTests {
  private typealias Scene = RemoteScene
  private static let start = RemoteScene.start

  private func machine(_ events: [RemoteEvent], columns: Int = 80, rows: Int = 24) -> RemoteMachine {
    var machine = RemoteMachine(
      columns: columns, rows: rows, device: 1, devices: [RemoteDevice(id: 1, name: "Lobby TV")])
    for event in events { _ = machine.handle(event, at: Self.start) }
    return machine
  }

  private func pressed(
    _ key: RemoteEvent, _ events: [RemoteEvent], _ later: Double = 0
  ) -> [RemoteAction] {
    var machine = machine(events)
    return machine.handle(key, at: Self.start + .milliseconds(Int64(later * 1000))).filter { $0 != .draw }
  }

  private let playing = [Scene.status(Scene.media()), Scene.queue()]

  // MARK: - Keys

  @Test("each key of playback is one request")
  func playbackKeys() {
    let verbs: [(Character, PlaybackVerb)] = [
      (" ", .pause), ("n", .next), ("p", .previous), ("]", .rate(1.25)), ("[", .rate(0.75)), ("=", .rate(1)),
      ("-", .volume(.change(-0.05))), ("+", .volume(.change(0.05))), ("m", .mute(true)),
      ("s", .stop(quits: false)),
    ]
    for (key, verb) in verbs {
      #expect(pressed(Scene.key(key), playing) == [.perform(1, .verb(verb))], "\(key)")
    }
    #expect(pressed(Scene.key(.right), playing) == [.perform(1, .verb(.seek(.offset(10))))])
    #expect(pressed(Scene.key(.left), playing) == [.perform(1, .verb(.seek(.offset(-10))))])
    #expect(pressed(Scene.key(.enter), playing) == [.perform(1, .start(3))])
  }

  @Test("live media are stopped in place of paused")
  func live() {
    let live = Scene.status(Scene.media { $0.isLive = true })
    #expect(pressed(Scene.key(" "), [live]) == [.perform(1, .verb(.stop(quits: false)))])
  }

  @Test("with nothing on the screen, space starts the queue")
  func darkness() {
    #expect(pressed(Scene.key(" "), [Scene.status(nil), Scene.queue()]) == [.perform(1, .start(nil))])
  }

  @Test("what cannot be done is said and not tried")
  func refusals() {
    let fixed = Scene.status(Scene.media()) { $0.volume?.isFixed = true }
    #expect(pressed(Scene.key("+"), [fixed]).isEmpty)
    #expect(pressed(Scene.key(.right), [Scene.status(Scene.media { $0.canSeek = false })]).isEmpty)
    #expect(pressed(Scene.key("x"), playing).isEmpty)
    #expect(pressed(Scene.key("t"), playing).isEmpty)
  }

  @Test("stop and stop casting are two keys, and the second one asks")
  func stopping() {
    var machine = machine(playing)
    #expect(machine.handle(Scene.key("S"), at: Self.start) == [.draw])
    #expect(machine.handle(Scene.key("n"), at: Self.start) == [.draw])
    _ = machine.handle(Scene.key("S"), at: Self.start)
    #expect(
      machine.handle(Scene.key("y"), at: Self.start) == [.perform(1, .verb(.stop(quits: true))), .draw])
  }

  @Test("steps of the volume add up though the device has confirmed none of them, and are sent as steps")
  func steps() {
    var machine = machine(playing)
    let actions = (0..<3).flatMap { machine.handle(Scene.key("+"), at: Self.start + .seconds($0)) }
    let step = RemoteRequest.verb(.volume(.change(0.05)))
    #expect(actions.filter { $0 != .draw } == [.perform(1, step), .perform(2, step), .perform(3, step)])
    #expect(machine.screen(at: Self.start + .seconds(2)).text.contains("70%"))
  }

  // MARK: - Optimism

  @Test("a wish is shown as if it were so for 300 ms, then the truth, with what is pending")
  func optimism() {
    var machine = machine(playing)
    _ = machine.handle(Scene.key("+"), at: Self.start)
    #expect(machine.screen(at: Self.start).text.contains("60%"))
    let later = Self.start + .milliseconds(301)
    _ = machine.handle(.woken, at: later)
    let screen = machine.screen(at: later).text
    #expect(screen.contains("55%") && screen.contains("volume …"))
    _ = machine.handle(.finished(1), at: later)
    #expect(!machine.screen(at: later).text.contains("volume …"))
  }

  @Test("the remote wakes when a wish stops being shown")
  func waking() throws {
    var machine = machine([Scene.status(Scene.media(.paused)), Scene.queue()])
    #expect(machine.nextChange(after: Self.start) == nil)
    _ = machine.handle(Scene.key("+"), at: Self.start)
    #expect(try #require(machine.nextChange(after: Self.start)) == .milliseconds(300))
  }

  @Test("a request that fails is said with its next step until a key is pressed")
  func failure() {
    var machine = machine(playing)
    _ = machine.handle(Scene.key("n"), at: Self.start)
    _ = machine.handle(.failed(1, "refused; try again"), at: Self.start)
    let later = Self.start + .seconds(60)
    _ = machine.handle(.woken, at: later)
    #expect(machine.screen(at: later).text.contains("refused; try again"))
    _ = machine.handle(Scene.key("j"), at: later)
    #expect(!machine.screen(at: later).text.contains("refused"))
  }

  @Test("while something plays the screen changes once a second, and not more often")
  func pace() throws {
    let wait = try #require(machine(playing).nextChange(after: Self.start))
    #expect(wait >= .milliseconds(900) && wait <= .milliseconds(1100))
  }

  /// The positions that are drawn while no status comes, each at the moment that the machine asks for.
  private func drawn(_ count: Int, _ machine: inout RemoteMachine, from now: inout Tick) throws -> [String] {
    var positions: [String] = []
    while positions.count < count {
      let wait = try #require(machine.nextChange(after: now))
      now = now + wait
      _ = machine.handle(.woken, at: now)
      positions.append(try position(machine, at: now))
    }
    return positions
  }

  /// What stands behind the sign of what plays.
  private func position(_ machine: RemoteMachine, at now: Tick) throws -> String {
    let lines = machine.screen(at: now).text.split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix(" ▶ ") })
    return String(try #require(line.split(separator: " ").dropFirst().first))
  }

  @Test("between two statuses the position moves by each second of the media", arguments: [0.5, 1, 1.5, 2])
  func movingPosition(_ rate: Double) throws {
    let media = Scene.media(position: 83.4) { ($0.rate, $0.speed) = (rate, rate) }
    var machine = machine([Scene.status(media), Scene.queue()])
    var now = Self.start
    #expect(try position(machine, at: now) == "1:23")
    let seen = try drawn(4, &machine, from: &now)
    #expect(seen == ["1:24", "1:25", "1:26", "1:27"])
    let passed = (now - Self.start).seconds * rate
    #expect(passed >= 3.6 && passed < 3.7, "\(passed)")
  }

  @Test("a status says where the position goes on from, and at its end it stands still")
  func correctedPosition() throws {
    var machine = machine(playing)
    var now = Self.start
    let before = try drawn(2, &machine, from: &now)
    #expect(before == ["1:24", "1:25"])
    let told = now
    _ = machine.handle(Scene.status(Scene.media(position: 237.5) { $0.at = told }), at: now)
    let after = try drawn(4, &machine, from: &now)
    #expect(after == ["3:58", "3:59", "4:00", "4:00"])
  }

  @Test(
    "what does not play has a position that stands", arguments: [RemoteMedia.State.paused, .buffering])
  func standingPosition(_ state: RemoteMedia.State) {
    let machine = machine([Scene.status(Scene.media(state)), Scene.queue()])
    #expect(machine.nextChange(after: Self.start) == nil)
    let later = Self.start + .seconds(20)
    #expect(machine.screen(at: later) == machine.screen(at: Self.start))
  }

  // MARK: - Queue

  @Test("a moved entry stays selected, and undo brings it back to its place")
  func moving() {
    var machine = machine(playing + [Scene.key("J")])
    #expect(machine.handle(Scene.key("u"), at: Self.start) == [.edit(2, .move(3, to: 3)), .draw])
    #expect(pressed(Scene.key("J"), playing) == [.edit(1, .move(3, to: 4))])
    #expect(pressed(Scene.key("K"), playing) == [.edit(1, .move(3, to: 2))])
  }

  @Test("a removed entry comes back by undo under its own number, and so does a cleared queue")
  func removing() {
    var machine = machine(playing)
    #expect(machine.handle(Scene.key("d"), at: Self.start) == [.edit(1, .remove(3)), .draw])
    #expect(
      machine.handle(Scene.key("u"), at: Self.start).first
        == .edit(2, .restore([3], asIn: Array(1...12))))
    #expect(machine.handle(Scene.key("c"), at: Self.start) == [.draw])
    #expect(machine.handle(Scene.key("y"), at: Self.start) == [.edit(3, .clear), .draw])
    guard
      case .edit(4, .restore(let all, asIn: let order))? = machine.handle(Scene.key("u"), at: Self.start)
        .first
    else {
      return #expect(Bool(false))
    }
    #expect(all.count == 11 && order == all)
  }

  @Test("an entry that another program moves stays selected")
  func foreignMove() {
    var machine = machine(playing)
    var rows = (1...12).map { RemoteRow(entry: Int64($0), title: "\($0)") }
    rows.append(rows.remove(at: 2))
    _ = machine.handle(.queue(1, RemoteQueue(rows: rows)), at: Self.start)
    #expect(machine.handle(Scene.key("d"), at: Self.start).first == .edit(1, .remove(3)))
  }

  @Test("find selects the next title that has the text, and around")
  func finding() {
    var machine = machine(
      playing + [Scene.key("/"), Scene.key("m"), Scene.key("e"), Scene.key("n"), Scene.key(.enter)])
    #expect(machine.handle(Scene.key("d"), at: Self.start).first == .edit(1, .remove(2)))
  }

  // MARK: - Ways

  @Test("the terminal leads to something playing in three keys")
  func threeKeys() {
    // A fresh installation: one device has answered, nothing is queued.
    var machine = RemoteMachine(columns: 80, rows: 24, device: nil, isIntroduced: false)
    #expect(machine.begin() == [.search, .draw])
    _ = machine.handle(
      .devices([RemoteDevice(id: 7, name: "TV")], isSearching: true, problem: nil), at: Self.start)
    #expect(machine.handle(Scene.key(.enter), at: Self.start).contains(.follow(7)))
    _ = machine.handle(.queue(7, RemoteQueue()), at: Self.start)
    #expect(machine.handle(Scene.key(.enter), at: Self.start).contains(.listFiles))
    _ = machine.handle(.files(["demo.m3u"]), at: Self.start)
    #expect(
      machine.handle(Scene.key(.enter), at: Self.start) == [
        .perform(1, .add("demo.m3u", isNext: false)), .draw,
      ])
  }

  @Test("what is pasted is what is added")
  func pasting() {
    var machine = machine(playing)
    #expect(
      machine.handle(.terminal(.paste("https://media.example/a.mp4\nnonsense")), at: Self.start).contains(
        .listFiles))
    #expect(
      machine.handle(Scene.key(.enter), at: Self.start)
        == [.perform(1, .add("https://media.example/a.mp4", isNext: false)), .draw])
  }

  @Test("a press on the bar seeks there, on a row selects it, and on a word of the last line does it")
  func mouse() {
    func press(_ row: Int, _ column: Int) -> [RemoteAction] {
      pressed(.terminal(.mouse(TerminalMouse(.press, row: row, column: column))), playing)
    }
    guard case .perform(1, .verb(.seek(.position(let goal))))? = press(4, 40).first else {
      return #expect(Bool(false))
    }
    #expect(goal > 100 && goal < 140)
    #expect(press(23, 2) == [.perform(1, .verb(.pause))])
    #expect(press(0, 1) == [.search])
    var machine = machine(playing)
    _ = machine.handle(.terminal(.mouse(TerminalMouse(.press, row: 8, column: 10))), at: Self.start)
    #expect(machine.handle(Scene.key("d"), at: Self.start).first == .edit(1, .remove(1)))
  }

  @Test("the explanation of the first run is remembered with the first key")
  func introduction() {
    var machine = RemoteMachine(columns: 80, rows: 24, device: nil, isIntroduced: false)
    #expect(machine.handle(Scene.key("j"), at: Self.start).contains(.rememberIntroduction))
    #expect(!machine.handle(Scene.key("j"), at: Self.start).contains(.rememberIntroduction))
  }

  @Test("events of chance in every state draw a screen of its size, and ask for nothing without end")
  func walk() {
    var generator = SeededNumbers(seed: 11)
    let scenes = RemoteScene.all.flatMap(\.events)
    let names: [TerminalKey.Name] = [
      .enter, .escape, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab, .backspace, .delete,
    ]
    var machine = RemoteMachine(columns: 80, rows: 24, device: nil)
    var now = Self.start
    for step in 0..<4000 {
      now = now + .milliseconds(Int64.random(in: 0...400, using: &generator))
      let event: RemoteEvent
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        event = .resized(
          columns: .random(in: 1...130, using: &generator), rows: .random(in: 1...45, using: &generator))
      case 1...3: event = scenes.randomElement(using: &generator) ?? .woken
      case 4: event = Scene.key(names.randomElement(using: &generator) ?? .enter)
      case 5:
        event = .terminal(
          .mouse(
            TerminalMouse(
              [.press, .wheelUp, .wheelDown].randomElement(using: &generator) ?? .press,
              row: .random(in: 0...45, using: &generator), column: .random(in: 0...130, using: &generator))))
      case 6: event = .finished(step)
      case 7: event = .terminal(.paste("x"))
      default: event = Scene.key(Character(Unicode.Scalar(UInt8.random(in: 32..<127, using: &generator))))
      }
      _ = machine.handle(event, at: now)
      let screen = machine.screen(at: now)
      #expect(screen.cells.count == screen.columns * screen.rows)
      if let wait = machine.nextChange(after: now) { #expect(wait >= .milliseconds(20)) }
    }
  }
}
