package import CastMulticast
package import CastProtocol
package import NIOCore

/// A multicast DNS responder for one device, without sockets and clocks: it claims its name, announces itself, answers,
/// and says goodbye (protocol 13.1–13.5, RFC 6762).
package struct AdvertiserMachine: Sendable {
  /// A link, and the addresses at which the device is reachable on it.
  package struct Place: Sendable, Equatable {
    package var link: MulticastLink
    /// In network order, IPv4 and IPv6.
    package var addresses: [[UInt8]]

    package init(link: MulticastLink, addresses: [[UInt8]]) {
      self.link = link
      self.addresses = addresses
    }
  }

  package enum Event: Sendable {
    case start([Place])
    /// The addresses or links have changed.
    case placesChanged([Place])
    /// The device has changed: its name, its port, its application.
    case update(AdvertisedReceiver)
    case received([UInt8], on: MulticastLink, from: SocketAddress)
    case timerFired(TimerID)
    /// The device is cut off, without a goodbye; or it is back.
    case silence(Bool)
    /// The device leaves with a goodbye.
    case stop
  }

  package enum Action: Sendable, Equatable {
    /// Multicast on the link when there is no address.
    case send([UInt8], on: MulticastLink, to: SocketAddress?)
    /// Replaces a timer of the same id.
    case startTimer(TimerID, after: Duration)
    case cancelTimer(TimerID)
  }

  package enum TimerID: Sendable, Hashable {
    case phase
    case answers(MulticastLink)
    case truncated(Int)
  }

  enum Phase: Sendable, Equatable {
    case idle
    /// Cut off.
    case silent
    /// The number of probes sent (RFC 6762, 8.1).
    case probing(Int)
    /// The number of announcements sent (RFC 6762, 8.3).
    case announcing(Int)
    case running

    var answers: Bool {
      switch self {
      case .announcing, .running: true
      case .idle, .silent, .probing: false
      }
    }
  }

  /// The messages pending on a link, and those sent recently.
  struct Voice: Sendable {
    var addresses: [[UInt8]]
    /// When answers are sent.
    var due: [AdvertisedPart: Tick] = [:]
    /// When changed records are repeated, whatever is sent before.
    var repeats: [AdvertisedPart: Tick] = [:]
    var said: [AdvertisedPart: Tick] = [:]
  }

  static let probeCount = 3
  static let probeInterval = Duration.milliseconds(250)
  static let announcementCount = 2
  /// At least a second (RFC 6762, 8.3); some resolvers ignore a repetition within it as a duplicate.
  static let announcementInterval = Duration.milliseconds(1100)
  /// Sent datagrams are looped back; this many are recognized.
  private static let echoLimit = 32

  package private(set) var receiver: AdvertisedReceiver
  private(set) var suffix = 0
  private(set) var phase = Phase.idle
  /// The multicast DNS port; a query from another port comes from an ordinary resolver.
  let port: Int
  /// Delay of answers that other devices may give as well.
  let answerDelay: ClosedRange<Duration>
  var generator: SeededGenerator
  var voices: [MulticastLink: Voice] = [:]
  var truncated = TruncatedQueries()
  var conflicts = 0
  var now = Tick.zero
  var actions: [Action] = []
  private var echoes: [[UInt8]] = []

  package init(
    receiver: AdvertisedReceiver, port: Int = 5353, seed: UInt64,
    answerDelay: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(120)
  ) {
    self.receiver = receiver
    self.port = port
    self.answerDelay = answerDelay
    generator = SeededGenerator(seed: seed)
  }

  /// The first label of its records: the device's own name, with a number appended when that was taken.
  package var instanceName: String { records(on: nil).instanceName }

  /// Handles an event; returns the actions to carry out.
  package mutating func handle(_ event: Event, at tick: Tick) -> [Action] {
    now = max(now, tick)
    switch event {
    case .start(let places):
      take(places)
      probe(after: random(.zero...Self.probeInterval))
    case .placesChanged(let places): placesChanged(places)
    case .update(let receiver): update(receiver)
    case .received(let bytes, let link, let source): received(bytes, on: link, from: source)
    case .timerFired(let timer): fired(timer)
    case .silence(let isSilent): silence(isSilent)
    case .stop: stop()
    }
    defer { actions = [] }
    return actions
  }

  /// The records on a link; without addresses when it is not one of ours.
  func records(on link: MulticastLink?) -> AdvertisedRecords {
    let addresses = link.flatMap { voices[$0]?.addresses } ?? []
    return AdvertisedRecords(receiver: receiver, suffix: suffix, addresses: addresses)
  }

  mutating func random(_ range: ClosedRange<Duration>) -> Duration {
    let unit = Double.random(in: 0...1, using: &generator)
    return range.lowerBound + (range.upperBound - range.lowerBound).scaled(by: unit)
  }

  /// Every link, in a deterministic order.
  var links: [MulticastLink] {
    voices.keys.sorted { ($0.interfaceIndex, $0.family.rawValue) < ($1.interfaceIndex, $1.family.rawValue) }
  }

  mutating func send(_ bytes: [UInt8], on link: MulticastLink, to address: SocketAddress? = nil) {
    echoes.append(bytes)
    if echoes.count > Self.echoLimit { echoes.removeFirst() }
    actions.append(.send(bytes, on: link, to: address))
  }

  private mutating func take(_ places: [Place]) {
    for link in links where !places.contains(where: { $0.link == link }) {
      actions.append(.cancelTimer(.answers(link)))
      voices[link] = nil
    }
    for place in places { voices[place.link, default: Voice(addresses: [])].addresses = place.addresses }
  }

  private mutating func placesChanged(_ places: [Place]) {
    take(places)
    if phase.answers { announce(0) }
  }

  private mutating func received(_ bytes: [UInt8], on link: MulticastLink, from source: SocketAddress) {
    guard voices[link] != nil, phase != .idle, phase != .silent, !echoes.contains(bytes) else { return }
    let message: DNSMessage
    do throws(DNSError) {
      message = try DNSMessage(decoding: bytes)
    } catch {
      return  // not DNS
    }
    if message.isResponse {
      heard(message, on: link)
    } else {
      compete(with: message, on: link)
      if phase.answers { asked(message, on: link, by: source) }
    }
  }

  private mutating func fired(_ timer: TimerID) {
    switch timer {
    case .phase: advance()
    case .answers(let link): sayDue(on: link)
    case .truncated(let number): completed(number)
    }
  }

  // MARK: starting and stopping

  /// Starts to probe for the name.
  mutating func probe(after delay: Duration) {
    phase = .probing(0)
    actions.append(.startTimer(.phase, after: delay))
  }

  mutating func rename() {
    suffix += 1
  }

  private mutating func advance() {
    switch phase {
    case .probing(Self.probeCount): announce(0)
    case .probing(let count):
      for link in links {
        if let bytes = AdvertiserResponse(records: records(on: link)).probe { send(bytes, on: link) }
      }
      phase = .probing(count + 1)
      actions.append(.startTimer(.phase, after: Self.probeInterval))
    case .announcing(let count): announce(count)
    case .idle, .silent, .running: break
    }
  }

  private mutating func announce(_ count: Int) {
    for link in links { say(records(on: link).parts, on: link) }
    phase = count + 1 < Self.announcementCount ? .announcing(count + 1) : .running
    if phase != .running { actions.append(.startTimer(.phase, after: Self.announcementInterval)) }
  }

  /// Multicasts parts now.
  mutating func say(_ parts: [AdvertisedPart], on link: MulticastLink, additional: [AdvertisedPart] = []) {
    for bytes in AdvertiserResponse(records: records(on: link)).datagrams(parts, additional: additional) {
      send(bytes, on: link)
    }
    for part in parts + additional {
      voices[link]?.said[part] = now
      voices[link]?.due[part] = nil
    }
  }

  private mutating func goodbye(_ parts: [AdvertisedPart]) {
    for link in links {
      let response = AdvertiserResponse(records: records(on: link))
      for bytes in response.datagrams(parts, isGoodbye: true) { send(bytes, on: link) }
      for part in parts {
        voices[link]?.due[part] = nil
        voices[link]?.repeats[part] = nil
        voices[link]?.said[part] = nil
      }
    }
  }

  private mutating func update(_ new: AdvertisedReceiver) {
    let old = records(on: nil)
    guard new != receiver else { return }
    let isRenamed = new.instanceName != receiver.instanceName || new.uuid != receiver.uuid
    if phase.answers { goodbye(isRenamed ? old.parts : old.parts.filter { isGone($0, in: new) }) }
    receiver = new
    if isRenamed {
      suffix = 0
      if phase != .idle, phase != .silent { probe(after: .zero) }
    } else if phase.answers {
      let known = Set(old.parts)
      for link in links {
        let records = records(on: link)
        let changed = records.parts.filter { part in
          !known.contains(part) || (part == .text || part == .service) && isChanged(part, since: old)
        }
        say(changed, on: link, additional: changed.contains(.service) ? [.text, .ipv4, .ipv6] : [])
        // A cache that received the old record less than a second ago keeps it as well, unless the new one is repeated (RFC 6762,
        // 8.4 and 10.2).
        for part in changed { voices[link]?.repeats[part] = now + Self.announcementInterval }
        sayDue(on: link)
      }
    }
  }

  private func isGone(_ part: AdvertisedPart, in new: AdvertisedReceiver) -> Bool {
    !AdvertisedRecords(receiver: new, suffix: suffix, addresses: []).parts.contains(part)
  }

  private func isChanged(_ part: AdvertisedPart, since old: AdvertisedRecords) -> Bool {
    records(on: nil).records(part).map(\.data) != old.records(part).map(\.data)
  }

  private mutating func silence(_ isSilent: Bool) {
    if isSilent {
      quiet(.silent)
    } else if phase == .silent {
      probe(after: random(.zero...Self.probeInterval))
    }
  }

  private mutating func stop() {
    if phase.answers { goodbye(records(on: nil).parts) }
    quiet(.idle)
  }

  /// Discards everything pending.
  private mutating func quiet(_ phase: Phase) {
    self.phase = phase
    actions.append(.cancelTimer(.phase))
    for link in links {
      actions.append(.cancelTimer(.answers(link)))
      voices[link]?.due = [:]
      voices[link]?.repeats = [:]
      voices[link]?.said = [:]
    }
    for number in truncated.forgetAll() { actions.append(.cancelTimer(.truncated(number))) }
    suffix = phase == .silent ? suffix : 0
    conflicts = 0
  }
}
