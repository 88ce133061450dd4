/// Finds Cast devices: decides what to query and when, and derives devices from the answers (protocol 13).
///
/// It queries for the requested services, first with a unicast reply, then by multicast, at growing intervals. Records are valid
/// for the time that their owner states, are queried again before they expire, and removed late. Memory and work are bounded,
/// whatever other hosts send.
package struct DiscoveryMachine: Sendable {
  /// Maximum number of services and of links.
  private static let serviceLimit = 16
  private static let linkLimit = 64
  /// Minimum timer duration: everything that is due within it is handled together.
  private static let shortestWait = Duration.milliseconds(20)
  private static let notesPerMinute = 10

  /// The known devices, by friendly name, then by identity.
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

  /// Number of entries, which is bounded.
  package var entryCount: Int { records.count + links.count + told.known.count + services.count }

  /// The device with an identity; nil when it was not found, or its endpoint may be outdated.
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

  /// Found devices remain known until they expire: a new search returns them at once.
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
    // Queries are received too, including those of this computer.
    guard message.isResponse else { return [] }
    let findings = records.take(message, askedFor: services, on: link, at: now)
    var actions = told.update(findings.changed, from: records)
    // Of two instances with one identity only the newer has the current endpoint.
    actions += records.takeAwaited(at: now).filter { told.known[$0.uniqueID ?? ""] == $0 }.map { .heard($0) }
    for finding in findings.notes { actions += note(finding, at: now) }
    if let tick = findings.wakeAt { actions += wake(at: tick, now: now) }
    return actions
  }

  private mutating func lookFor(_ id: String, at now: Tick) -> [Action] {
    for link in links.keys { links[link]?.hurry(at: now) }
    return send(records.questions(about: id, at: now), at: now) + proceed(at: now)
  }

  /// Handles everything that is due, and starts the timer for the rest.
  private mutating func proceed(at now: Tick) -> [Action] {
    var actions = told.update(records.expire(at: now), from: records)
    var questions = records.takeQuestions(at: now, isRefreshing: isRefreshing)
    for (link, schedule) in links where schedule.isDue(at: now) {
      let wantsUnicastReply = schedule.isFirst
      links[link]?.asked(at: now, pace: pace)
      // Each name is queried once: a query includes the records that must be queried again.
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

  /// A hostile host must not flood the log.
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
