import CastProtocol

/// A discovery in virtual time: what it sends, whom it finds, and when.
struct DiscoveryBench {
  static let wifi = DiscoveryLink(interface: "wlan0", family: .v4)
  static let wifi6 = DiscoveryLink(interface: "wlan0", family: .v6)
  static let cable = DiscoveryLink(interface: "eth0", family: .v4)
  static let loopback = DiscoveryLink(interface: "lo", family: .v4, isLoopback: true)

  struct Packet {
    var at: Duration
    var link: DiscoveryLink
    var message: DNSMessage
  }

  enum Change: Equatable {
    case found(String)
    case changed(String)
    case lost(String)
    case heard(String)
  }

  var machine = DiscoveryMachine()
  private(set) var now = Tick.zero
  private(set) var timer: Tick?
  var sent: [Packet] = []
  var changes: [Change] = []
  var notes: [DiscoveryMachine.Note] = []
  /// Answers to what is sent, at once.
  var responder: (@Sendable (DNSMessage, DiscoveryLink) -> [DNSMessage])?

  init(
    services: [DNSName] = [CastServiceRecord.serviceType], pace: DiscoveryPace = .active,
    links: [DiscoveryLink] = [Self.wifi]
  ) {
    handle(.linksChanged(links))
    handle(.start(services: services, pace: pace))
    handle(.linksChanged(links))
  }

  mutating func handle(_ event: DiscoveryMachine.Event) {
    var answers: [(DNSMessage, DiscoveryLink)] = []
    for action in machine.handle(event, at: now) {
      switch action {
      case .send(let bytes, let link):
        guard let message = try? DNSMessage(decoding: bytes) else { preconditionFailure("sent junk") }
        sent.append(Packet(at: now.sinceStart, link: link, message: message))
        answers += (responder?(message, link) ?? []).map { ($0, link) }
      case .startTimer(let wait): timer = now + wait
      case .stopTimer: timer = nil
      case .found(let device): changes.append(.found(Self.text(device)))
      case .changed(let device): changes.append(.changed(Self.text(device)))
      case .lost(let device): changes.append(.lost(Self.text(device)))
      case .heard(let device): changes.append(.heard(Self.text(device)))
      case .note(let note): notes.append(note)
      }
    }
    for (answer, link) in answers { hear(answer, on: link) }
  }

  mutating func hear(_ message: DNSMessage, on link: DiscoveryLink = Self.wifi) {
    guard let bytes = try? message.encoded(limit: 9000) else { preconditionFailure("answers junk") }
    handle(.received(bytes, on: link))
  }

  /// Lets time pass, timers included.
  mutating func advance(_ duration: Duration) {
    let end = now + duration
    while let due = timer, due <= end {
      now = due
      timer = nil
      handle(.timerFired)
    }
    now = end
  }

  /// When packets with a question for a name and a type were sent, in seconds.
  func times(_ name: DNSName = CastServiceRecord.serviceType, _ type: DNSRecordType = .ptr) -> [Double] {
    sent.filter { packet in packet.message.questions.contains { $0.name == name && $0.type == type } }
      .map { $0.at.seconds }
  }

  private static func text(_ device: Device) -> String {
    "\(device.friendlyName ?? "?") at \(device.endpoint)"
  }
}

/// A device on the network, as its packets show it.
struct DiscoveredNeighbour: Sendable {
  var id = DiscoveryPackets.id
  var name = "Kitchen"
  var label = "Chromecast-0123"
  var host: DNSName = "host-1.local"
  var port: UInt16 = 8009
  var addresses: [DNSRecordData] = [.a([192, 168, 1, 20])]
  var more: [String] = []
  var ttl: UInt32 = 120

  /// The nth of many.
  init(_ number: Int = 0) {
    guard number > 0 else { return }
    let digits = String(number, radix: 16)
    id = String(repeating: "0", count: 32 - digits.count) + digits
    name = "Device \(number)"
    label = "Chromecast-\(id)"
    host = DNSName("host-\(number).local")
    addresses = [.a([10, 0, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])]
  }

  var instance: DNSName { DNSName(labels: [label]).inside(CastServiceRecord.serviceType) }

  func pointer(_ service: DNSName = CastServiceRecord.serviceType, ttl: UInt32? = nil) -> DNSRecord {
    DNSRecord(name: service, data: .ptr(instance), timeToLive: ttl ?? self.ttl)
  }

  func place(ttl: UInt32? = nil) -> DNSRecord {
    DNSRecord(
      name: instance, data: .srv(priority: 0, weight: 0, port: port, target: host),
      timeToLive: ttl ?? self.ttl, flushesCache: true)
  }

  func text(ttl: UInt32? = nil) -> DNSRecord {
    DNSRecord(
      name: instance, data: .txt((["id=\(id)", "fn=\(name)"] + more).map { Array($0.utf8) }),
      timeToLive: ttl ?? self.ttl, flushesCache: true)
  }

  func hosts(ttl: UInt32? = nil) -> [DNSRecord] {
    addresses.map { DNSRecord(name: host, data: $0, timeToLive: ttl ?? self.ttl, flushesCache: true) }
  }

  /// Everything in one packet.
  func answer(ttl: UInt32? = nil, service: DNSName = CastServiceRecord.serviceType) -> DNSMessage {
    .response(
      [pointer(service, ttl: ttl)], additionals: [place(ttl: ttl), text(ttl: ttl)] + hosts(ttl: ttl))
  }
}
