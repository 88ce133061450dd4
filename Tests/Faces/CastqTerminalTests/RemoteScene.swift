import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqTerminal
import Testing

/// A situation in which the remote is drawn, and the events that lead there.
struct RemoteScene: CustomTestStringConvertible {
  let name: String
  let events: [RemoteEvent]
  /// Seconds after the events at which it is drawn.
  var later = 0.0
  var device: Int64? = 1
  var devices = [RemoteDevice(id: 1, name: "Lobby TV")]
  var isIntroduced = true
  var signs = RemoteGlyphs.unicode

  var testDescription: String { name }

  static let start = Tick(.seconds(100))

  func machine(columns: Int, rows: Int) -> RemoteMachine {
    var machine = RemoteMachine(
      columns: columns, rows: rows, device: device, devices: devices, isIntroduced: isIntroduced, signs: signs
    )
    for event in events { _ = machine.handle(event, at: Self.start) }
    return machine
  }

  func screen(columns: Int, rows: Int) -> Screen {
    machine(columns: columns, rows: rows).screen(at: Self.start + .milliseconds(Int64(later * 1000)))
  }

  static let sizes = [(80, 24), (120, 40), (40, 10)]

  // MARK: - Facts

  static func key(_ character: Character) -> RemoteEvent {
    .terminal(.key(TerminalKey(.character(character))))
  }
  static func key(_ name: TerminalKey.Name) -> RemoteEvent { .terminal(.key(TerminalKey(name))) }

  static func media(
    _ state: RemoteMedia.State = .playing, _ title: String = "Welcome to the house", position: Double? = 83,
    duration: Double? = 240, _ change: (inout RemoteMedia) -> Void = { _ in }
  ) -> RemoteMedia {
    var media = RemoteMedia(state, title: title, at: start)
    media.speed = state == .playing ? 1 : 0
    (media.position, media.duration, media.entry, media.subtitle) = (
      position, duration, 3, "The Band · First Album"
    )
    change(&media)
    return media
  }

  static func status(_ media: RemoteMedia?, _ change: (inout RemoteStatus) -> Void = { _ in }) -> RemoteEvent
  {
    var status = RemoteStatus(
      .connected, application: "Default Media Receiver", volume: .init(level: 55), media: media)
    change(&status)
    return .status(1, status)
  }

  static func queue(_ count: Int = 12, next: Int64? = 4) -> RemoteEvent {
    let titles = [
      "Opening", "Menu of the day", "Welcome to the house", "Weather", "News",
      "A very long title that does not fit into a narrow terminal, whatever is done",
    ]
    let rows = (1...count).map { number in
      RemoteRow(
        entry: Int64(number), title: number <= titles.count ? titles[number - 1] : "Slide \(number)",
        state: number < 3 ? .finished : number == 3 ? .playing : number == 7 ? .failed : .pending,
        length: number == 5 ? nil : Double(number) * 20)
    }
    return .queue(1, RemoteQueue(rows: rows, repeatMode: .all, isShuffled: false, next: next))
  }

  private static let house = [
    RemoteDevice(id: 2, name: "Bar", status: "Netflix"), RemoteDevice(id: 3, name: "Kitchen"),
    RemoteDevice(id: 1, name: "Lobby TV", status: "Casting Welcome"),
    RemoteDevice(id: 4, name: "Whole house", isGroup: true), RemoteDevice(id: 5, name: "会議室"),
  ]

  static let all: [RemoteScene] = [
    RemoteScene(
      name: "first-run", events: [.devices([], isSearching: true, problem: nil)], device: nil, devices: [],
      isIntroduced: false),
    RemoteScene(
      name: "none-found",
      events: [
        .devices(
          [], isSearching: false,
          problem:
            "nothing answered; multicast may be blocked on the way (docker, VLANs, guest networks), or UDP port 5353 by a firewall; 'castq device add NAME HOST' needs no discovery"
        )
      ], device: nil, devices: []),
    RemoteScene(
      name: "chooser", events: [.devices(house, isSearching: true, problem: nil), key("j")], device: nil,
      devices: house),
    RemoteScene(name: "connecting", events: [queue()]),
    RemoteScene(
      name: "offline",
      events: [
        .status(
          1,
          RemoteStatus(
            .offline, waiting: "the device does not answer since 2026-11-20 09:00:00, called 3 times")),
        queue(),
      ]),
    RemoteScene(name: "idle", events: [status(nil) { $0.application = nil }, .queue(1, RemoteQueue())]),
    RemoteScene(
      name: "guest",
      events: [
        status(media(.playing, "Somebody's film") { $0.entry = nil }) {
          ($0.application, $0.waiting) = ("YouTube", "a guest has the screen; 'castq play' takes it back")
        }, queue(),
      ]),
    RemoteScene(name: "playing", events: [status(media()), queue()], later: 2),
    RemoteScene(name: "paused", events: [status(media(.paused) { $0.rate = 1.5 }), queue()], later: 5),
    RemoteScene(name: "loading", events: [status(media(.loading, position: nil)), queue()]),
    RemoteScene(
      name: "live",
      events: [
        status(media(position: 4000, duration: nil) { ($0.isLive, $0.canSeek) = (true, false) }), queue(),
      ],
      later: 3),
    RemoteScene(name: "picture", events: [status(media(.showing, position: 7, duration: 20)), queue()]),
    RemoteScene(
      name: "ad",
      events: [status(media { $0.ad = .init(label: "Ad 1/2: Shoes", skippableIn: 5) }), queue()], later: 2),
    RemoteScene(name: "ad-marks", events: [status(media { $0.adMarks = [0, 120, 240, .nan] }), queue()]),
    RemoteScene(name: "next", events: [status(media(position: 222)), queue()], later: 1),
    RemoteScene(
      name: "scripts",
      events: [
        status(
          media(.playing, "日本語の題名はとても長いのでここで切れます かな カナ 漢字 かな カナ 漢字 かな カナ 漢字 かな カナ") {
            $0.subtitle = "שלום עולם · مرحبا"
          }),
        .queue(
          1,
          RemoteQueue(rows: [
            RemoteRow(entry: 1, title: "한국어 제목", length: 60),
            RemoteRow(entry: 2, title: "🎬 Film 👨‍👩‍👧‍👦 ❤️ 🇩🇪", length: 61),
            RemoteRow(entry: 3, title: "e\u{301}\u{302}\u{303} combining", state: .playing, length: 62),
            RemoteRow(entry: 4, title: "\u{1B}[2Jevil\u{202E}drowssap\u{7}\r\nline", length: 63),
            RemoteRow(entry: 5, title: "مرحبا بالعالم", length: 64),
            RemoteRow(entry: 6, title: "שלום עולם", length: 65),
            RemoteRow(entry: 7, title: "ไทย हिन्दी ಕನ್ನಡ", length: 66), RemoteRow(entry: 8, title: "", length: 67),
          ])),
      ]),
    RemoteScene(
      name: "long-queue", events: [status(media()), queue(300)] + Array(repeating: key("j"), count: 150)),
    RemoteScene(
      name: "tracks",
      events: [
        status(
          media {
            $0.tracks = [
              .init(id: 1, kind: .audio, label: "Deutsch (de)", isActive: true),
              .init(id: 2, kind: .audio, label: "English (en)"),
              .init(id: 3, kind: .text, label: "Français (fr)", isActive: true),
              .init(id: 4, kind: .text, label: "日本語 (ja)"),
            ]
          }), queue(), key("t"), key("j"),
      ]),
    RemoteScene(
      name: "plan",
      events: [
        status(media()), queue(), key("P"),
        .text(
          .plan,
          (0..<60).map {
            "Mon 23 Nov \($0 < 10 ? "0" : "")\($0):00–next  morning → /srv/breakfast.m3u  (daily)"
          }), key("j"),
      ]),
    RemoteScene(name: "help", events: [status(media()), queue(), key("?")]),
    RemoteScene(
      name: "add",
      events: [
        status(nil), .queue(1, RemoteQueue()), key("a"), .files(["demo.m3u", "film.mp4", "music.mp3"]),
        key(.down),
      ]),
    RemoteScene(name: "find", events: [status(media()), queue(40), key("/"), key("s"), key("l")]),
    RemoteScene(
      name: "transfer", events: [status(media()), queue(), key("T"), key("j")], devices: house),
    RemoteScene(name: "styles", events: [status(media()), queue(), key("y"), key("j")]),
    RemoteScene(
      name: "beside",
      events: [
        status(media()), queue(),
        .aside(
          1, .plan,
          [
            "06:00–08:00  dark", "08:00–10:30  breakfast → menus  (daily, priority 0)",
            "10:30–11:30  日本語の題名はとても長いのでここで切れます かな カナ",
          ]),
      ]),
    RemoteScene(name: "announce", events: [status(media()), queue(), key("!"), .files(["gong.mp3"])]),
    RemoteScene(name: "removed", events: [status(media()), queue(), key("j"), key("d")]),
    RemoteScene(name: "pending", events: [status(media()), queue(), key("+")], later: 0.4),
    RemoteScene(
      name: "failed",
      events: [
        status(media()), queue(), key("n"),
        .failed(1, "Lobby TV: the receiver refused the request: INVALID_REQUEST; try again"),
      ]),
    RemoteScene(
      name: "fixed-volume",
      events: [status(media()) { $0.volume = .init(level: 100, isFixed: true) }, queue(), key("+")]),
    RemoteScene(
      name: "ascii", events: [status(media()) { $0.volume?.isMuted = true }, queue()], later: 2, signs: .ascii
    ),
  ]
}
