/// Finds Cast devices: says what to ask and when, and makes devices of the answers (protocol 13).
///
/// It asks for what its user looks for, first in a way that lets the answer come to us alone, then to all, less and less often. It
/// believes what it hears as long as the owner says, asks again in time, and gives up late. Whatever the neighbours send, the memory
/// and the work it costs are bounded.
package struct DiscoveryMachine: Sendable {
  /// Names to look for and links to look on that are taken at most.
  private static let serviceLimit = 16
  private static let linkLimit = 64
  /// The timer is never set to less: what is due within it is done together.
  private static let shortestWait = Duration.milliseconds(20)
  private static let notesPerMinute = 10

  /// The devices there are, by friendly name; where that is the same, by identity.
  package var devices: [Device] { told.list }
  package private(set) var isRunning = false
  private var services: [DNSName] = []
  private var pace = DiscoveryPace.active
  private var links: [DiscoveryLink: AskingSchedule] = [:]
  private var records = DiscoveredRecords()
  private var told = DiscoveredDevices()
  private var wakeAt: Tick?
  private var notesSince: (Tick, count: Int)?

  package init() {}

  /// Entries the machine keeps; it has a limit.
  package var entryCount: Int { records.count + links.count + told.known.count + services.count }

  /// The device with an identity; nil when it was not found, or its place may be outdated.
  package func freshDevice(withUniqueID id: String, at now: Tick) -> Device? {
    told.known[id].flatMap { records.isFresh($0, at: now) ? $0 : nil }
  }

  /// The device with an identity; nil when it was not found.
  package func device(withUniqueID id: String) -> Device? { told.known[id] }

  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    switch event {
    case .start(let services, let pace): return start(services, pace, at: now)
    case .stop: return stop()
    case .linksChanged(let links): return isRunning ? use(links, at: now) : []
    case .received(let bytes, let link): return isRunning ? receive(bytes, on: link, at: now) : []
    case .lookFor(let id): return isRunning ? lookFor(id, at: now) : []
    case .timerFired:
      wakeAt = nil
      return isRunning ? proceed(at: now) : []
    }
  }

  private mutating func start(_ services: [DNSName], _ pace: DiscoveryPace, at now: Tick) -> [Action] {
    var actions: [Action] = []
    self.services = []
    for service in services where !self.services.contains(service) && self.services.count < Self.serviceLimit
    {
      do throws(DNSError) {
        _ = try DNSMessage.queries(asking: [DNSQuestion(name: service, type: .ptr)])
        self.services.append(service)
      } catch {
        actions += note(.unsendable(error), at: now)
      }
    }
    isRunning = true
    self.pace = pace
    for link in links.keys { links[link]?.restart(at: now) }
    actions += told.update(records.keep(services: self.services, at: now), from: records)
    return actions + proceed(at: now)
  }

  /// What was found stays known, until it is too old: who begins again sees it at once.
  private mutating func stop() -> [Action] {
    guard isRunning else { return [] }
    isRunning = false
    links = [:]
    wakeAt = nil
    return [.stopTimer]
  }

  private mutating func use(_ list: [DiscoveryLink], at now: Tick) -> [Action] {
    let list = Set(list.prefix(Self.linkLimit))
    links = links.filter { list.contains($0.key) }
    for link in list where links[link] == nil { links[link] = AskingSchedule(at: now) }
    let changed = records.keep(interfaces: Set(list.map(\.interface)), at: now)
    return told.update(changed, from: records) + proceed(at: now)
  }

  private mutating func receive(_ bytes: [UInt8], on link: DiscoveryLink, at now: Tick) -> [Action] {
    guard links[link] != nil else { return [] }
    let message: DNSMessage
    do {
      message = try DNSMessage(decoding: bytes)
    } catch {
      return note(.unreadable(error, on: link), at: now)
    }
    // Questions are heard too, our own among them.
    guard message.isResponse else { return [] }
    let findings = records.take(message, askedFor: services, on: link, at: now)
    var actions = told.update(findings.changed, from: records)
    // Of two instances with one identity only the newer tells where the device is.
    actions += records.takeAwaited(at: now).filter { told.known[$0.uniqueID ?? ""] == $0 }.map { .heard($0) }
    for finding in findings.notes { actions += note(finding, at: now) }
    if let tick = findings.wakeAt { actions += wake(at: tick, now: now) }
    return actions
  }

  private mutating func lookFor(_ id: String, at now: Tick) -> [Action] {
    for link in links.keys { links[link]?.hurry(at: now) }
    return send(records.questions(about: id, at: now), at: now) + proceed(at: now)
  }

  /// Does what is due, and sees to being woken for the next.
  private mutating func proceed(at now: Tick) -> [Action] {
    var actions = told.update(records.expire(at: now), from: records)
    var questions = records.takeQuestions(at: now, isRefreshing: isRefreshing)
    for (link, schedule) in links where schedule.isDue(at: now) {
      let wantsUnicastReply = schedule.isFirst
      links[link]?.asked(at: now, pace: pace)
      // Said once for each name: what was to be asked again is asked with it.
      let refreshes = (questions[link] ?? []).filter { $0.type != .ptr }
      questions[link] =
        services.map { DNSQuestion(name: $0, type: .ptr, wantsUnicastReply: wantsUnicastReply) } + refreshes
    }
    actions += send(questions, at: now)
    wakeAt = nil
    let deadlines = links.values.map(\.next) + [records.nextDeadline(isRefreshing: isRefreshing)]
    guard let next = deadlines.compactMap({ $0 }).min() else { return actions + [.stopTimer] }
    return actions + wake(at: next, now: now)
  }

  private var isRefreshing: Bool { pace != .once }

  private mutating func send(_ questions: DiscoveredRecords.Questions, at now: Tick) -> [Action] {
    var actions: [Action] = []
    for (link, asked) in questions.sorted(by: { $0.key.order < $1.key.order })
    where links[link] != nil && !asked.isEmpty {
      let names = asked.filter { $0.type == .ptr }.map(\.name)
      do throws(DNSError) {
        let known = names.isEmpty ? [] : records.knownAnswers(of: names, on: link, at: now)
        for packet in try DNSMessage.queries(asking: asked, knowing: known) {
          actions.append(.send(packet, on: link))
        }
      } catch {
        actions += note(.unsendable(error), at: now)
      }
    }
    return actions
  }

  private mutating func wake(at tick: Tick, now: Tick) -> [Action] {
    let tick = max(tick, now + Self.shortestWait)
    if let wakeAt, wakeAt <= tick { return [] }
    wakeAt = tick
    return [.startTimer(tick - now)]
  }

  /// In the order in which devices are shown.
  package static func sorted(_ devices: [Device]) -> [Device] {
    devices.sorted(by: DiscoveredDevices.isOrdered)
  }

  /// A hostile neighbour must not fill the log.
  private mutating func note(_ note: Note, at now: Tick) -> [Action] {
    if let (since, count) = notesSince, now - since < .seconds(60) {
      guard count < Self.notesPerMinute else { return [] }
      notesSince = (since, count + 1)
    } else {
      notesSince = (now, 1)
    }
    return [.note(note)]
  }
}
