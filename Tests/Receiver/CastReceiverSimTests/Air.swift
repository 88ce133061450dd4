import CastMulticast
import CastProtocol
import CastReceiverSim
import NIOCore

/// The air round one responder: carries out its timers on virtual time and keeps what it says.
struct Air {
  struct Said {
    var tick: Tick
    var address: SocketAddress?
    var message: DNSMessage
  }

  static let link = MulticastLink(interfaceIndex: 2, interfaceName: "eth9", family: .v4)
  static let otherLink = MulticastLink(interfaceIndex: 3, interfaceName: "eth8", family: .v4)

  private(set) var machine: AdvertiserMachine
  private(set) var now = Tick.zero
  /// What was said since `running()`, oldest first.
  private(set) var sent: [Said] = []
  /// When `running()` was done.
  private(set) var mark = Tick.zero
  /// Whether it hears itself.
  var echoes = false
  private var receiver: AdvertisedReceiver
  private var timers: [AdvertiserMachine.TimerID: Tick] = [:]

  init(port: Int = 8009, seed: UInt64 = 1, model: String = "Chromecast Ultra", name: String = "Lobby") {
    receiver = AdvertisedReceiver(
      uuid: "5f0ca571-0000-4000-a000-000000000001", friendlyName: name, model: model, port: port,
      capabilities: 4101)
    receiver.applicationIDs = ["CC1AD845"]
    machine = AdvertiserMachine(receiver: receiver, seed: seed)
  }

  /// Announced long ago.
  static func running() -> Air {
    var air = Air()
    air.start()
    air.run(for: .seconds(10))
    air.sent = []
    air.mark = air.now
    return air
  }

  mutating func start() { handle(.start([.init(link: Self.link, addresses: [[192, 0, 2, 20]])])) }

  mutating func update(_ change: (inout AdvertisedReceiver) -> Void) {
    change(&receiver)
    handle(.update(receiver))
  }

  mutating func hear(
    _ message: DNSMessage, from host: String = "192.0.2.7", port: Int = 5353, on link: MulticastLink = link
  ) {
    do {
      let source = try SocketAddress(ipAddress: host, port: port)
      handle(.received(try message.encoded(), on: link, from: source))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  mutating func handle(_ event: AdvertiserMachine.Event) {
    for action in machine.handle(event, at: now) {
      switch action {
      case .startTimer(let timer, let delay): timers[timer] = now + delay
      case .cancelTimer(let timer): timers[timer] = nil
      case .send(let bytes, let link, let address):
        guard let message = try? DNSMessage(decoding: bytes) else { preconditionFailure("not DNS: \(bytes)") }
        sent.append(Said(tick: now, address: address, message: message))
        if echoes { handle(.received(bytes, on: link, from: Self.asker(5353))) }
      }
    }
  }

  mutating func run(for duration: Duration) {
    let end = now + duration
    while let next = timers.min(by: { $0.value < $1.value }), next.value <= end {
      now = next.value
      timers[next.key] = nil
      handle(.timerFired(next.key))
    }
    now = end
  }

  static func asker(_ port: Int) -> SocketAddress {
    guard let address = try? SocketAddress(ipAddress: "192.0.2.7", port: port) else {
      preconditionFailure("port \(port)")
    }
    return address
  }

  static func query(
    _ name: DNSName, _ type: DNSRecordType, unicast: Bool = false, known: [DNSRecord] = []
  ) -> DNSMessage {
    .query([DNSQuestion(name: name, type: type, wantsUnicastReply: unicast)], knownAnswers: known)
  }

  static func pointer(_ name: String, to target: DNSName) -> DNSRecord {
    DNSRecord(name: DNSName(name), data: .ptr(target), timeToLive: 120)
  }

  /// What somebody else says under a name.
  static func service(of name: DNSName) -> DNSRecord {
    DNSRecord(
      name: name, data: .srv(priority: 0, weight: 0, port: 1, target: "other.local"), timeToLive: 120,
      flushesCache: true)
  }

  static func texts(_ record: DNSRecord) -> [String] {
    guard case .txt(let texts) = record.data else { return [] }
    return texts.map { String(decoding: $0, as: UTF8.self) }
  }
}
