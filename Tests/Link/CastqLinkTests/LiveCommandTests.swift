import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing
@testable import CastqLink

@Suite("Commands over MQTT")
struct LiveCommandTests {
  private let now = WallTime(milliseconds: 1_800_000_000_000)

  private func read(_ text: String, isRetained: Bool = false) -> Result<LiveCommand, LiveCommand.Refusal> {
    Result { () throws(LiveCommand.Refusal) in
      try LiveCommand.read(Array(text.utf8), isRetained: isRetained, at: now)
    }
  }

  private func code(_ text: String, isRetained: Bool = false) -> String? {
    if case .failure(let refusal) = read(text, isRetained: isRetained) { refusal.code } else { nil }
  }

  private func command(
    _ verb: String, _ argument: String? = nil, expires: String = "2027-01-15T08:00:10Z", more: String = ""
  ) -> String {
    let argument = argument.map { ",\"argument\":\"\($0)\"" } ?? ""
    return "{\"id\":\"a\",\"command\":\"\(verb)\"\(argument),\"expires_at\":\"\(expires)\"\(more)}"
  }

  @Test(
    "a command is one of the verbs that a broker may ask for, with an argument of the command line",
    arguments: [
      ("play", nil, .play(nil)), ("play", "17", .play(EntryID(17))), ("pause", nil, .pause),
      ("toggle", nil, .toggle), ("stop", nil, .stop(quits: false)), ("next", nil, .next),
      ("prev", nil, .previous), ("mute", nil, .mute(true)), ("unmute", nil, .mute(false)),
      ("skip-ad", nil, .skipAd), ("volume", "40", .volume(.level(0.4))),
      ("volume", "0.55", .volume(.level(0.55))), ("volume", "+5", .volume(.change(0.05))),
      ("seek", "-1:30", .seek(.offset(MediaTime(seconds: -90)))),
      ("seek", "1m30s", .seek(.position(MediaTime(seconds: 90)))), ("seek", "50%", .seek(.fraction(0.5))),
    ] as [(String, String?, PlaybackVerb)])
  func verbs(name: String, argument: String?, verb: PlaybackVerb) throws {
    let command = try read(command(name, argument)).get()
    #expect(command.verb == verb)
    #expect(command.words == ([name] + (argument.map { [$0] } ?? [])).joined(separator: " "))
  }

  @Test(
    "an argument that means nothing is refused as the command line refuses it",
    arguments: [
      ("volume", "400", "volume 400 is above the maximum: the maximum is 100"), ("volume", "-", nil),
      ("volume", "5-", "'5-' is not a volume"), ("seek", "200%", "'200%' is not a position"),
      ("seek", "1:2:3:4", "is not a position"), ("play", "0", "'0' is no number of an entry"),
      ("play", "99999999999999999999", "is no number of an entry"),
    ] as [(String, String?, String?)])
  func meaningless(name: String, argument: String?, words: String?) {
    guard case .failure(let refusal) = read(command(name, argument)) else {
      Issue.record("it is a command")
      return
    }
    #expect(refusal.code == (words == nil ? "bad_command" : "usage") && refusal.exit == .usage)
    #expect(refusal.message.contains(words ?? "does not fit"), "\(refusal.message)")
  }

  @Test("a command has an identity and an expiry")
  func good() throws {
    let replying = try read(command("next", more: ",\"reply_to\":\"app/7/reply\"")).get()
    #expect(replying.id == "a" && replying.replyTo == "app/7/reply")
    // As Home Assistant's templates write it.
    #expect(try read(command("mute", expires: "2027-01-15T08:00:09.123456+00:00")).get().words == "mute")
  }

  @Test(
    "replies wait for the broker, the newest of them, in their order, each once and no longer than an hour")
  func replies() {
    var unsent = UnsentReplies()
    func reply(_ number: Int) -> UnsentReplies.Reply { UnsentReplies.Reply(topic: "t", text: "\(number)") }
    for number in 1...(UnsentReplies.most + 2) { unsent.keep(reply(number), at: .zero) }
    #expect(unsent.take(at: .zero) == (3...(UnsentReplies.most + 2)).map(reply))
    #expect(unsent.take(at: .zero).isEmpty)
    unsent.keep(reply(1), at: .zero)
    unsent.keep(reply(2), at: .zero + .seconds(1))
    #expect(unsent.take(at: .zero + .seconds(3600)) == [reply(2)])
  }

  @Test("the device of which something is kept is read out of the topic, and out of no other topic")
  func kept() {
    let topics = LiveTopics(site: "rome")
    for name in ["lobby", "Foyer 2. OG", "a/b+c#d%e$f", "\u{1}\u{7F}", "küche"] {
      for topic in topics.kept(of: name) { #expect(topics.device(ofKept: topic) == name) }
    }
    for topic in [
      "castq/rome/lobby/command", "castq/rome/lobby/reply", "castq/paris/lobby/state", "castq/rome/state",
      "castq/rome/availability", "castq/rome//state", "castq/rome/a/b/state", "castq/rome/%/state",
      "castq/rome/%2f/state", "castq/rome/%41/state", "castq/rome/%FF/state", "castq/rome/%+1/state", "x",
    ] {
      #expect(topics.device(ofKept: topic) == nil, "\(topic)")
    }
  }

  @Test("a command that the broker keeps is refused, whatever it says")
  func retained() { #expect(code(command("pause"), isRetained: true) == "retained") }

  @Test("a command is refused from its expiry on, and when it lives longer than an hour")
  func expiry() {
    #expect(code(command("pause", expires: "2027-01-15T08:00:00Z")) == "expired")
    #expect(code(command("pause", expires: "2027-01-15T07:59:59.999Z")) == "expired")
    #expect(code(command("pause", expires: "2027-01-15T09:00:01Z")) == "bad_command")
  }

  @Test(
    "what is no command is refused",
    arguments: [
      "", "[]", "{", "pause", "{\"id\":\"a\",\"command\":\"pause\"}", "{\"command\":\"pause\"}",
      #"{"id":"a","command":"daemon","expires_at":"2027-01-15T08:00:10Z"}"#,
      #"{"id":"a","command":"volume","expires_at":"2027-01-15T08:00:10Z"}"#,
      #"{"id":"a","command":"volume","argument":"--db","expires_at":"2027-01-15T08:00:10Z"}"#,
      #"{"id":"a","command":"volume","argument":"5; reboot","expires_at":"2027-01-15T08:00:10Z"}"#,
      #"{"id":"a","command":"pause","argument":"1","expires_at":"2027-01-15T08:00:10Z"}"#,
      #"{"id":"a","command":"pause","expires_at":"soon"}"#,
      #"{"id":"a","command":"pause","reply_to":"castq/x/y/command","expires_at":"2027-01-15T08:00:10Z"}"#,
      #"{"id":"a","command":"pause","reply_to":"a/#","expires_at":"2027-01-15T08:00:10Z"}"#,
      #"{"id":"","command":"pause","expires_at":"2027-01-15T08:00:10Z"}"#,
    ])
  func bad(text: String) { #expect(code(text) == "bad_command") }

  @Test(
    "a refusal has castq's exit code: 64 for what is no command, 75 for what may be tried again",
    arguments: [
      ("bad_command", 64), ("retained", 64), ("duplicate", 64), ("expired", 75), ("busy", 75),
      ("device_unknown", 68),
    ])
  func exits(code: String, exit: Int32) {
    #expect(LiveCommand.Refusal(id: nil, replyTo: nil, code: code, message: "").exit.rawValue == exit)
  }

  private func pause(_ id: String, until expiry: WallTime = .latest) -> LiveCommand {
    LiveCommand(id: id, verb: .pause, words: "pause", replyTo: nil, expiresAt: expiry)
  }

  @Test("the commands of one device are performed one after the other in their order, beside those of others")
  func lanes() throws {
    var admission = CommandAdmission()
    var begun: [String] = []
    for id in ["a1", "b1", "a2", "a3", "b2"] {
      let device = String(id.prefix(1))
      if try admission.admit(pause(id), for: device, at: now) { begun.append(id) }
    }
    #expect(begun == ["a1", "b1"])
    for device in ["a", "b", "a", "b", "a"] { begun.append(admission.next(for: device)?.id ?? "\(device)-") }
    #expect(begun == ["a1", "b1", "a2", "b2", "a3", "b-", "a-"])
    let isNow = try admission.admit(pause("a4"), for: "a", at: now)
    #expect(isNow, "nothing runs any more")
  }

  @Test("what waits counts as what runs: more than sixteen are refused, whatever their devices are")
  func bound() throws {
    var admission = CommandAdmission()
    for number in 0..<CommandAdmission.most {
      try admission.admit(pause("\(number)"), for: "\(number % 3)", at: now)
    }
    #expect(throws: LiveCommand.Refusal.self) { try admission.admit(pause("x"), for: "other", at: now) }
    admission.next(for: "other")
    #expect(throws: LiveCommand.Refusal.self) { try admission.admit(pause("x"), for: "other", at: now) }
    admission.next(for: "1")
    try admission.admit(pause("x"), for: "other", at: now)
  }

  @Test("a command whose turn comes after its expiry is not performed")
  func tooLate() throws {
    let command = pause("a", until: now)
    try command.check(at: WallTime(milliseconds: now.milliseconds - 1))
    do throws(LiveCommand.Refusal) {
      try command.check(at: now)
      Issue.record("it is performed")
    } catch {
      #expect(error.code == "expired" && error.id == "a")
    }
    #expect(
      try read(self.command("pause")).get().expiresAt == WallTime(milliseconds: now.milliseconds + 10_000))
  }

  @Test(
    "what anybody can cause has a line at first, and then one in ten seconds with the number of the others")
  func lines() {
    var limit = LineLimit()
    let lines = (0..<3000).map { limit.admit(at: .zero + .milliseconds(10 * $0)) }
    #expect(lines.compactMap(\.self) == [0, 999, 999])
    let last = limit.admit(at: .zero + .seconds(100))
    let next = limit.admit(at: .zero + .seconds(200))
    #expect(last == 999 && next == 0)
  }

  @Test("a command that is delivered twice is performed once, for each device")
  func duplicates() throws {
    var admission = CommandAdmission()
    func code(_ id: String, _ device: String) -> String? {
      do throws(LiveCommand.Refusal) {
        try admission.admit(pause(id), for: device, at: now)
        admission.next(for: device)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code("a", "lobby") == nil)
    #expect(code("a", "lobby") == "duplicate")
    #expect(code("a", "bar") == nil)
    for number in 0..<2000 { #expect(code("\(number)", "lobby") == nil) }
    #expect(
      code("1999", "lobby") == "duplicate" && code("a", "lobby") == "duplicate", "however many came between")
  }

  @Test(
    "a command is remembered until it expires, however many others come; no more than can be remembered are performed"
  )
  func memory() {
    var memory = CommandMemory()
    let late = WallTime(milliseconds: now.milliseconds + 3_600_000)
    var refused = 0
    for number in 0..<CommandMemory.most + 50 {
      let expiry = number % 2 == 0 ? late : WallTime(milliseconds: now.milliseconds + 1)
      if !memory.insert(pause("\(number)", until: expiry), for: "lobby", at: now) { refused += 1 }
    }
    #expect(refused == 50)
    let inserted = memory.insert(
      pause("new", until: late), for: "lobby", at: WallTime(milliseconds: now.milliseconds + 1))
    #expect(inserted && memory.contains("0", for: "lobby") && memory.contains("new", for: "lobby"))
    #expect(!memory.contains("1", for: "lobby"), "it has expired, and is refused for that")
  }

  @Test("a command that was refused as busy is performed when it is tried again, and then once")
  func busy() throws {
    var admission = CommandAdmission()
    for number in 0..<CommandAdmission.most {
      try admission.admit(pause("\(number)"), for: "lobby", at: now)
    }
    let late = LiveCommand(
      id: "late", verb: .next, words: "next", replyTo: "app/7/reply", expiresAt: .latest)
    let busy = LiveCommand.Refusal(
      id: "late", replyTo: "app/7/reply", code: "busy", message: "16 commands run; try again")
    for _ in 0..<2 { #expect(throws: busy) { try admission.admit(late, for: "lobby", at: now) } }
    // One that is performed already is no new command, however busy it is.
    #expect(throws: LiveCommand.Refusal.self) {
      try admission.admit(pause("0"), for: "lobby", at: now)
    }
    admission.next(for: "lobby")
    try admission.admit(late, for: "lobby", at: now)
    admission.next(for: "lobby")
    do throws(LiveCommand.Refusal) {
      try admission.admit(late, for: "lobby", at: now)
      Issue.record("it was performed twice")
    } catch {
      #expect(error.code == "duplicate")
    }
  }

  @Test(
    "a name is one level of a topic, whatever it is",
    arguments: ["a/b", "+", "#", "50%", "$x", "a\u{0}b", "Küche"])
  func levels(name: String) {
    let topics = LiveTopics(site: "berlin")
    let topic = topics.command(of: name)
    #expect(topic.split(separator: "/", omittingEmptySubsequences: false).count == 4)
    #expect(topic.unicodeScalars.allSatisfy { $0 != "+" && $0 != "#" && $0.value >= 0x20 })
    #expect(topics.device(ofCommand: topic) == LiveTopics.level(name))
    #expect(topics.device(ofCommand: topics.state(of: name)) == nil)
    #expect(topics.device(ofCommand: "castq/paris/x/command") == nil)
  }

  @Test("the parts of an announcement are one device and know when it is away")
  func discovery() {
    let home = HomeAssistant(LiveTopics(site: "berlin"), prefix: "homeassistant")
    let parts = home.announcements(of: "Lobby TV/1")
    #expect(Set(parts.map(\.topic)).count == parts.count && parts.count == 8)
    for part in parts {
      #expect(part.topic.hasPrefix("homeassistant/") && part.topic.hasSuffix("/config"))
      #expect(part.topic.split(separator: "/").count == 5)
      #expect(part.payload["device"]?["identifiers"]?.array == ["castq_berlin_Lobby_20TV_2f1"])
      #expect(part.payload["availability"]?.array?.count == 2)
    }
    #expect(HomeAssistant.isBack(Array("online".utf8)) && !HomeAssistant.isBack(Array("offline".utf8)))
  }

  @Test(
    "the address of a broker",
    arguments: [
      ("mqtt://broker", "broker 1883"), ("mqtts://broker", "broker 8883"),
      ("mqtt://u:p%40w@h:99", "h 99 u p@w"),
      ("mqtt://[::1]:5", "::1 5"), ("mqtt://", ""), ("http://h", ""), ("mqtt://h:0", ""), ("mqtt://h:x", ""),
      ("mqtts://u:p@h?ca=/etc/castq/own%20ca.pem", "h 8883 u p /etc/castq/own ca.pem"),
      ("mqtts://h:1/?ca=/x", "h 1 /x"), ("mqtt://h?ca=/x", ""), ("mqtts://h?ca=x", ""),
      ("mqtts://h?x=/y", ""), ("mqtt://h?tls=off", "h 1883"), ("mqtts://h?tls=off", ""),
      ("mqtt://h?tls=on", ""),
    ])
  func addresses(text: String, expected: String) {
    let address = BrokerAddress(text)
    let words = address.map {
      [$0.host, "\($0.port)", $0.user, $0.password, $0.authority].compactMap(\.self).joined(separator: " ")
    }
    #expect(words ?? "" == expected)
    #expect((address?.isClear ?? false) == (address != nil && text.hasSuffix("?tls=off")))
  }
}
