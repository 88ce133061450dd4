import CastProtocol
import CastqFeeding
import CastqTerminal
import Testing

/// The terminal's column of Google's design checklist for Cast, a row a test.
@Suite("Design checklist, in the terminal")
struct DesignChecklistTests {
  private typealias Scene = RemoteScene
  private static let start = RemoteScene.start

  private func machine(_ events: [RemoteEvent]) -> RemoteMachine {
    var machine = RemoteMachine(
      columns: 80, rows: 24, device: 1, devices: [RemoteDevice(id: 1, name: "Lobby TV")])
    for event in events { _ = machine.handle(event, at: Self.start) }
    return machine
  }

  private func lines(_ events: [RemoteEvent], later: Double = 0) -> [Substring] {
    machine(events).screen(at: Self.start + .milliseconds(Int64(later * 1000))).text.split(
      separator: "\n", omittingEmptySubsequences: false)
  }

  private func lines(_ name: String) throws -> [Substring] {
    let scene = try #require(RemoteScene.all.first { $0.name == name })
    return scene.screen(columns: 80, rows: 24).text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("1: the Cast button is always at the same place, also while help is shown")
  func button() throws {
    for scene in RemoteScene.all where scene.name != "ascii" {
      let first = scene.screen(columns: 80, rows: 24).row(0).map(\.text).joined()
      #expect(["○", "◉", "◜", "◝", "◞", "◟"].contains { first.hasPrefix(" \($0) ") }, "\(scene.name)")
      var machine = scene.machine(columns: 80, rows: 24)
      guard scene.device != nil, machine.view == .controller,
        !["add", "find", "announce"].contains(scene.name)
      else { continue }
      _ = machine.handle(.terminal(.mouse(TerminalMouse(.press, row: 0, column: 1))), at: Self.start)
      #expect(machine.view == .chooser, "\(scene.name)")
    }
  }

  @Test("2: disconnected, connecting, which moves, and connected differ in word and sign")
  func states() throws {
    #expect(try lines("chooser")[0].hasPrefix(" ○ castq  not connected"))
    #expect(try lines("playing")[0].hasPrefix(" ◉ Lobby TV  connected"))
    #expect(try lines("offline")[0].hasPrefix(" ○ Lobby TV  offline"))
    let connecting = machine([Scene.queue()])
    let turns = (0..<4).map { connecting.screen(at: Self.start + .milliseconds(250 * $0)).row(0)[1].text }
    #expect(Set(turns).count == 4)
    #expect(connecting.screen(at: Self.start).text.contains("connecting"))
  }

  @Test("an entry that was given up says why behind its title")
  func failedEntry() {
    let rows = [
      RemoteRow(entry: 1, title: "Gone", state: .failed, problem: "the server answers 404 Not Found"),
      RemoteRow(entry: 2, title: "Film"),
    ]
    let lines = lines([.queue(1, RemoteQueue(rows: rows))])
    #expect(lines.contains { $0.contains("Gone: the server answers 404 Not Found") }, "\(lines)")
    #expect(lines.contains { $0.contains("Film") && !$0.contains("Film:") }, "\(lines)")
  }

  @Test("3: the introduction is one line, until the first key")
  func introduction() {
    var machine = RemoteMachine(columns: 80, rows: 24, device: nil, isIntroduced: false)
    #expect(
      machine.screen(at: Self.start).text.contains(
        "castq plays your queue on a screen nearby; ? lists the keys."))
    _ = machine.handle(Scene.key("j"), at: Self.start)
    #expect(!machine.screen(at: Self.start).text.contains("castq plays"))
  }

  @Test("4: D opens the chooser, and devices are listed nowhere else")
  func chooser() throws {
    var machine = machine([
      .devices(
        [RemoteDevice(id: 1, name: "Lobby TV"), RemoteDevice(id: 2, name: "Kitchen")], isSearching: false,
        problem: nil)
    ])
    #expect(!machine.screen(at: Self.start).text.contains("Kitchen"))
    #expect(machine.handle(Scene.key("D"), at: Self.start).contains(.search))
    #expect(machine.screen(at: Self.start).text.contains("Kitchen"))
  }

  @Test("5: not connected, 'Cast to' stands above the devices, and busy ones say what they cast")
  func notConnected() throws {
    let lines = try lines("chooser")
    #expect(lines[2].contains("Cast to"))
    #expect(lines[4].contains("Bar") && lines[4].contains("Casting Netflix"))
    #expect(lines[6].contains("Lobby TV") && lines[6].contains("Casting Welcome"))
  }

  @Test("6: connected and idle, device, volume and stop casting are there")
  func idle() {
    let screen = lines([Scene.status(nil), Scene.queue()]).joined(separator: "\n")
    #expect(screen.contains("Lobby TV") && screen.contains("55%") && screen.contains("S stop casting"))
  }

  @Test("7: casting, title, pause, volume and stop are there")
  func casting() throws {
    let screen = try lines("playing").joined(separator: "\n")
    for words in ["Welcome to the house", "space pause", "55%", "s stop"] { #expect(screen.contains(words)) }
  }

  @Test("8: somebody else's takeover is said")
  func takeover() throws {
    #expect(try lines("guest").joined(separator: "\n").contains("a guest has the screen"))
  }

  @Test("9: what somebody else does is shown with the next status")
  func inStep() {
    let before = [Scene.status(Scene.media()), Scene.queue()]
    #expect(lines(before).joined().contains("▶ 1:23"))
    #expect(lines(before + [Scene.status(Scene.media(.paused, position: 100))]).joined().contains("‖ 1:40"))
    let quieter = Scene.status(Scene.media()) { $0.volume?.level = 20 }
    #expect(lines(before + [quieter])[0].hasSuffix("20%"))
  }

  @Test("10: the volume is always there, and no level is set by opening the remote")
  func volume() {
    var machine = machine([])
    let actions = machine.handle(Scene.status(Scene.media()), at: Self.start)
    #expect(actions == [.draw])
    #expect(machine.screen(at: Self.start).text.contains("▮▮▮▮▮▮▯▯▯▯   55%"))
  }

  @Test("10: a level that the operator configured is shown beside the device's own")
  func configuredVolume() {
    let quiet = Scene.status(Scene.media()) { $0.volume?.configured = 35 }
    #expect(lines([quiet])[0].hasSuffix("configured 35%  ▮▮▮▮▮▮▯▯▯▯   55%"))
  }

  @Test(
    "11: elapsed is left, the whole right, unless live; loading is shown, and only keys that do something")
  func expanded() throws {
    let bar = try lines("playing")[4]
    #expect(bar.hasPrefix(" ▶ 1:25 ━") && bar.hasSuffix(" 4:00"))
    #expect(try lines("live")[4] == " ▶ LIVE 1:06:43")
    #expect(try lines("loading")[4] == " … loading")
    let (playing, ad) = try (lines("playing").joined(), lines("ad").joined())
    #expect(!playing.contains("skip ad") && ad.contains("x skip ad"))
  }

  @Test("11: ads are marked on the bar: at the beginning, in the middle and at the end of it")
  func adMarks() throws {
    let (plain, marked) = try (lines("playing")[4], lines("ad-marks")[4])
    let bar = marked.split(separator: " ").dropFirst(2).first ?? ""
    #expect(bar.first == "┃" && bar.last == "┃" && bar.filter { $0 == "┃" }.count == 3, "\(marked)")
    #expect(Array(bar).firstIndex(of: "●") != nil && !plain.contains("┃"))
    #expect(Array(bar)[bar.count / 2] == "┃", "\(marked)")
  }

  @Test("12: live media are stopped in place of paused")
  func live() throws {
    let last = try lines("live")[23]
    #expect(last.contains("space stop"))
  }

  @Test("13: what is next is shown 30 s before the end, with what can be done")
  func next() {
    func line(_ position: Double) -> Substring {
      lines([Scene.status(Scene.media(position: position)), Scene.queue()])[6]
    }
    #expect(line(209) == " next  Weather")
    #expect(line(210).hasPrefix(" next in 30 s  Weather") && line(210).hasSuffix("n plays it now   s stops"))
  }

  @Test(
    "14: the queue is added to, added next, reordered, removed from, cleared, and its history is one key away"
  )
  func queue() {
    var machine = machine([Scene.status(Scene.media()), Scene.queue()])
    for (keys, action): ([RemoteEvent], RemoteAction) in [
      ([Scene.key("J")], .edit(1, .move(3, to: 4))), ([Scene.key("d")], .edit(2, .remove(3))),
      ([Scene.key("c"), Scene.key("y")], .edit(3, .clear)), ([Scene.key("L")], .read(.log)),
      (
        [Scene.key("q"), Scene.key("a"), Scene.key("x"), Scene.key(.enter)],
        .perform(4, .add("x", isNext: false))
      ),
      ([Scene.key("A"), Scene.key("y"), Scene.key(.enter)], .perform(5, .add("y", isNext: true))),
    ] {
      var actions: [RemoteAction] = []
      for key in keys { actions += machine.handle(key, at: Self.start) }
      #expect(actions.contains(action), "\(actions)")
    }
  }

  @Test(
    "15: coming back shows the running session at once, and stop, stop casting and leaving are three keys")
  func comingBack() {
    #expect(RemoteMachine(columns: 80, rows: 24, device: 1).begin() == [.follow(1), .draw])
    var machine = machine([Scene.status(Scene.media())])
    #expect(machine.handle(Scene.key("s"), at: Self.start).contains(.perform(1, .verb(.stop(quits: false)))))
    #expect(machine.handle(Scene.key("q"), at: Self.start) == [.quit, .draw])
  }

  @Test("16: an error is a line with the next step, as long as it needs")
  func errors() throws {
    #expect(
      try lines("failed").last == " Lobby TV: the receiver refused the request: INVALID_REQUEST; try again")
    let scene = try #require(RemoteScene.all.first { $0.name == "failed" })
    #expect(scene.screen(columns: 40, rows: 10).text.hasSuffix("try again"))
  }
}
