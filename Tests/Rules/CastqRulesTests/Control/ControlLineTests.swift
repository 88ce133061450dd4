import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText
import Testing

@Suite("The lines of a feeder's socket")
struct ControlLineTests {
  private static let style: MediaTextTrackStyle = {
    var style = MediaTextTrackStyle()
    style.fontScale = 1.2
    style.edgeType = .outline
    return style
  }()

  @Test(
    "every command survives its line",
    arguments: [
      .perform(.play(nil)), .perform(.play(EntryID(7))), .perform(.pause), .perform(.toggle),
      .perform(.stop(quits: false)), .perform(.stop(quits: true)), .perform(.next), .perform(.previous),
      .perform(.seek(.position(90))), .perform(.seek(.offset(-2.5))), .perform(.seek(.fraction(0.5))),
      .perform(.rate(1.25)), .perform(.volume(.level(0.55))), .perform(.volume(.change(-0.05))),
      .perform(.mute(true)), .perform(.mute(false)),
      .perform(.tracks(TrackChoice(on: [2, 3], hidesText: true))), .perform(.style(style)), .perform(.skipAd),
      .perform(.setRepeat(.all)), .perform(.shuffle(true)), .perform(.clear(stops: true)),
      .perform(.transfer(to: "hall")), .readVolume, .readTracks,
      .send(
        ChannelText(namespace: "urn:x-cast:a", text: "{\"a\":\n1}", wait: 2.5, application: "CC1AD845")),
      .poke, .status, .outlook, .feed(FeedRequest()),
      .feed(
        FeedRequest(
          first: EntryID(7), position: 12.5,
          isNewQueue: true, member: EntryID(8), waits: true)),
    ] as [ControlCommand])
  func roundTrip(command: ControlCommand) throws {
    let request = ControlRequest(device: DeviceID(3), command: command)
    let line = try request.line()
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(try ControlRequest(parsing: line.dropLast()) == request)
  }

  @Test(
    "a request that is none is refused with words, and never acted upon",
    arguments: [
      "", "x", "[]", "{}", #"{"castq":2}"#, #"{"castq":2,"device":1}"#,
      #"{"castq":2,"device":1,"command":"launch"}"#, #"{"castq":2,"device":"1","command":{"verb":"pause"}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"play","entry":"7"}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"play","entry":1.5}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"seek"}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"seek","position_s":1e300}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"seek","fraction":1.01}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"rate","rate":0}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"rate","rate":"1"}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"volume","level":101}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"mute","muted":true}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"tracks","on":["2"]}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"tracks","on":"2"}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"tracks","on":{}}}"#,
      #"{"castq":2,"device":1,"command":{"verb":"style","style":7}}"#,
      #"{"castq":2,"device":1,"command":"send","namespace":"urn:x-cast:a"}"#,
    ])
  func refused(line: String) {
    #expect {
      try ControlRequest(parsing: Array(line.utf8))
    } throws: { error in
      (error as? Failure)?.exit == .usage && (error as? Failure)?.message.isEmpty == false
    }
  }

  @Test("a line is bounded, whatever is in it")
  func bounded() throws {
    let long = Array(String(repeating: "[", count: ControlRequest.lineLimit + 1).utf8)
    #expect(throws: Failure.self) { try ControlRequest(parsing: long) }
    #expect(throws: Failure.self) { try ControlRequest(parsing: long.dropLast()) }
    let message = ChannelText(namespace: "urn:x-cast:a", text: String(repeating: "x", count: 70_000))
    #expect(throws: Failure.self) {
      try ControlRequest(device: DeviceID(1), command: .send(message)).line()
    }
    let reply = ControlReply.done(["text": .string(message.text)]).line
    #expect(reply.count < 1000)
    #expect(throws: Failure.self) { try ControlReply(parsing: reply.dropLast()).get() }
  }

  @Test("another version is told from a mistake")
  func version() {
    #expect {
      try ControlRequest(parsing: Array(#"{"castq":3,"device":1,"command":"poke"}"#.utf8))
    } throws: { ($0 as? Failure)?.code == "version" }
    #expect(throws: Failure.self) { try ControlReply(parsing: Array(#"{"castq":3,"done":{}}"#.utf8)) }
  }

  @Test("replies survive their lines, the receiver's words included")
  func replies() throws {
    let failure = Failure("refused", "no\nway", exit: .refused, receiver: ["type": "INVALID_REQUEST"])
    for reply in [ControlReply.done, .done(["volume": ["level": 55]]), .failed(failure)] {
      #expect(try ControlReply(parsing: reply.line.dropLast()) == reply)
    }
    for line in ["", "{}", #"{"castq":2}"#, #"{"castq":2,"error":{"code":1}}"#] {
      #expect(throws: Failure.self) { try ControlReply(parsing: Array(line.utf8)) }
    }
  }
}
