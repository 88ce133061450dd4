import CastProtocol
import CastqFeeding
import CastqTerminal
import Testing

@Suite("Other screens, the plan beside the queue, and what is found in it")
struct RemoteElsewhereTests {
  private typealias Scene = RemoteScene
  private static let start = RemoteScene.start
  private static let house = [
    RemoteDevice(id: 1, name: "Lobby TV"), RemoteDevice(id: 2, name: "Bar"),
    RemoteDevice(id: 3, name: "Hall"),
  ]

  private func machine(
    _ events: [RemoteEvent], columns: Int = 80, rows: Int = 24, devices: [RemoteDevice] = house
  ) -> RemoteMachine {
    var machine = RemoteMachine(columns: columns, rows: rows, device: 1, devices: devices)
    for event in events { _ = machine.handle(event, at: Self.start) }
    return machine
  }

  private let playing = [Scene.status(Scene.media()), Scene.queue()]

  private func lines(_ machine: RemoteMachine) -> [Substring] {
    machine.screen(at: Self.start).text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  // MARK: - Finding

  @Test("what is being found stands there alone, and enter goes to it in the whole list")
  func finding() {
    var machine = machine(playing + [Scene.key("/"), Scene.key("s"), Scene.key("l"), Scene.key("i")])
    #expect(lines(machine)[8...13].map { $0.contains("Slide") } == Array(repeating: true, count: 6))
    #expect(!lines(machine).contains { $0.contains("Weather  ") || $0.contains("Opening") })
    #expect(lines(machine).last?.hasSuffix("6 of 12   enter goes there   esc back") == true)
    _ = machine.handle(Scene.key(.down), at: Self.start)
    #expect(machine.handle(Scene.key(.enter), at: Self.start) == [.draw])
    #expect(lines(machine).contains { $0.contains("Opening") })
    #expect(machine.handle(Scene.key("d"), at: Self.start).first == .edit(1, .remove(8)))
  }

  @Test("who turns back from finding is where it began, and what nothing has shows nothing")
  func notFinding() {
    var machine = machine(playing + [Scene.key("/"), Scene.key("n"), Scene.key("e"), Scene.key("w")])
    #expect(lines(machine).filter { $0.contains("News") }.count == 1)
    _ = machine.handle(Scene.key("?"), at: Self.start)
    #expect(lines(machine).contains { $0.contains("No entry has this in its title.") })
    _ = machine.handle(Scene.key(.escape), at: Self.start)
    #expect(machine.handle(Scene.key("d"), at: Self.start).first == .edit(1, .remove(3)))
  }

  // MARK: - Other screens

  @Test("what plays is moved to another screen, and that one is controlled once it plays there")
  func transfer() {
    var machine = machine(playing + [Scene.key("T")])
    #expect(machine.view == .transfer)
    #expect(!lines(machine).dropFirst().contains { $0.contains("Lobby TV") }, "not to itself")
    _ = machine.handle(Scene.key("j"), at: Self.start)
    #expect(
      machine.handle(Scene.key(.enter), at: Self.start) == [.perform(1, .transfer(to: 3)), .draw])
    #expect(machine.device == 1, "until it is there")
    #expect(machine.handle(.finished(1), at: Self.start).contains(.follow(3)))
    #expect(machine.device == 3 && machine.view == .controller)
  }

  @Test("a move that fails leaves the person where playback is")
  func failedTransfer() {
    var machine = machine(playing + [Scene.key("T"), Scene.key(.enter)])
    _ = machine.handle(.failed(1, "Bar does not answer"), at: Self.start)
    #expect(machine.device == 1 && lines(machine).last?.contains("Bar does not answer") == true)
  }

  @Test("where nothing plays, or no other screen is known, nothing is moved, and that is said")
  func noTransfer() {
    #expect(lines(machine([Scene.status(nil), Scene.key("T")])).last?.contains("nothing is playing") == true)
    let alone = machine(playing + [Scene.key("T")], devices: [RemoteDevice(id: 1, name: "Lobby TV")])
    #expect(alone.view == .controller && lines(alone).last?.contains("no other device") == true)
  }

  @Test("what is announced is what was typed or stands first, and it is not added")
  func announcing() {
    var machine = machine(playing)
    #expect(machine.handle(Scene.key("!"), at: Self.start) == [.listFiles, .draw])
    _ = machine.handle(.files(["gong.mp3", "film.mp4"]), at: Self.start)
    #expect(
      machine.handle(Scene.key(.enter), at: Self.start) == [.perform(1, .announce("gong.mp3")), .draw])
    let later = Self.start + .seconds(5)
    _ = machine.handle(.woken, at: later)
    #expect(machine.screen(at: later).text.contains("announcing gong.mp3"))
  }

  // MARK: - Subtitles

  @Test("a size and colours of subtitles are chosen one after the other, each without the other")
  func styles() throws {
    var machine = machine(playing + [Scene.key("y"), Scene.key("j"), Scene.key("j")])
    guard case .perform(1, .verb(.style(let size)))? = machine.handle(Scene.key(.enter), at: Self.start).first
    else { return #expect(Bool(false)) }
    #expect(size.fontScale == 1.5 && size.foregroundColor == nil)
    _ = machine.handle(Scene.key("G"), at: Self.start)
    guard
      case .perform(2, .verb(.style(let colours)))? = machine.handle(Scene.key(.enter), at: Self.start).first
    else { return #expect(Bool(false)) }
    #expect(colours.fontScale == nil && colours.edgeType == .outline && colours.foregroundColor?.blue == 0)
    _ = machine.handle(Scene.key("q"), at: Self.start)
    #expect(machine.view == .controller)
  }

  // MARK: - Beside the queue

  @Test("the plan stands beside the queue where there is room, then the log, then nothing")
  func aside() {
    var machine = machine(playing, columns: 120, rows: 40)
    #expect(machine.begin() == [.follow(1), .readAside(.plan), .draw])
    _ = machine.handle(.aside(1, .plan, ["08:00–10:30  breakfast"]), at: Self.start)
    #expect(lines(machine)[8].contains("Opening") && lines(machine)[8].hasSuffix("│ 08:00–10:30  breakfast"))
    #expect(machine.handle(Scene.key("v"), at: Self.start) == [.readAside(.log), .draw])
    _ = machine.handle(.aside(1, .plan, ["late"]), at: Self.start)
    _ = machine.handle(.aside(1, .log, []), at: Self.start)
    #expect(lines(machine)[8].hasSuffix("│ nothing was played"))
    #expect(machine.handle(Scene.key("v"), at: Self.start) == [.draw])
    #expect(!machine.screen(at: Self.start).text.contains("│"))
    #expect(self.machine(playing).begin() == [.follow(1), .draw], "on a narrow terminal")
  }

  @Test("what is read late about another screen does not stand beside this one's queue")
  func asideOfAnother() {
    var machine = machine(playing, columns: 120, rows: 40)
    _ = machine.handle(.aside(2, .plan, ["08:00–10:30  breakfast"]), at: Self.start)
    #expect(!machine.screen(at: Self.start).text.contains("breakfast"))
  }

  @Test("what stands beside the queue is read again when something else plays, and not with each status")
  func asideAgain() {
    var machine = machine(playing, columns: 120, rows: 40)
    #expect(machine.handle(Scene.status(Scene.media(position: 84)), at: Self.start) == [.draw])
    #expect(machine.handle(Scene.queue(), at: Self.start) == [.draw])
    #expect(
      machine.handle(Scene.status(Scene.media(.playing, "Weather")), at: Self.start) == [
        .readAside(.plan), .draw,
      ])
  }

  // MARK: - The last line

  @Test("the last line has what can be done with the selected entry, and always the help and the way out")
  func footer() {
    let current = lines(machine(playing)).last
    #expect(current?.contains("space pause") == true && current?.contains("remove") == false)
    let other = lines(machine(playing + [Scene.key("j")])).last
    #expect(other?.contains("enter play it   d remove   J move down") == true, "\(other ?? "")")
    let failed = lines(machine(playing + Array(repeating: Scene.key("j"), count: 4))).last
    #expect(failed?.contains("enter try again") == true, "\(failed ?? "")")
    for columns in [40, 60, 80, 120, 200] {
      for events in [[], [Scene.key("j")], [Scene.key("G")]] {
        let last = lines(machine(playing + events, columns: columns)).last
        #expect(last?.contains("? help") == true && last?.hasSuffix("q leave") == true, "\(last ?? "")")
      }
    }
    #expect(lines(machine(playing, columns: 200)).last?.contains("T move to") == true)
  }

  @Test("a device that does not answer keeps the title of what was on its screen")
  func lastSeen() {
    let lost = Scene.status(nil) { ($0.connection, $0.waiting) = (.offline, "not heard since 14:59") }
    #expect(lines(machine(playing + [lost]))[4].contains("last seen: Welcome to the house"))
    #expect(!machine([Scene.status(nil), lost]).screen(at: Self.start).text.contains("last seen"))
  }
}
