import CastProtocol
import CastqPlaylists
import CastqText

/// Pages come one at a time, in an application of their own.
///
///     resting ──a page comes, a media receiver runs──> idle (`.open(.pages)`)
///        ^ └──a page comes, its application runs──> page ──over, or unconfirmed──┐
///        └───────────────────────────────────────────────────────────────────────┘
extension FeederMachine {
  /// The page that is shown, or was requested; nil when there is none.
  var page: PageMachine? { if case .page(let page, _) = phase { page } else { nil } }

  /// What is due needs another application than the one that runs.
  mutating func open(
    _ application: FeedApplication, anew: Bool = false, _ actions: inout [Action]
  ) {
    phase = .idle(receiver, startsOver: false)
    receiver.host.forget()
    receiver.rows.expire()
    actions.append(.open(application, anew: anew))
  }

  mutating func loadPage(_ place: UpcomingEntry, _ actions: inout [Action], at now: Tick, wall: WallTime) {
    // After a forced page the application no longer listens (protocol 15).
    if receiver.host.isDeaf {
      receiver.host.isDeaf = false
      return open(.pages, anew: true, &actions)
    }
    let (offered, _) = prepare([place], &actions)
    guard let item = offered.first else { return }
    phase = .page(PageMachine(item, PageCall(place.draft.media)), receiver.withoutMedia)
    actions.append(.startTimer(.page, after: configuration.pagePatience))
    tellPage(.requested, &actions, at: now, wall: wall)
  }

  /// The device says what runs.
  mutating func learn(
    _ application: ApplicationMetadata?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard receiver.application == .pages else { return }
    let wasReady = receiver.host.isReady
    receiver.host.learn(application)
    tellPage(
      .host(beginsToListen: wasReady == false && receiver.host.isReady == true), &actions, at: now, wall: wall
    )
  }

  /// Tells the page what happened; nothing where there is none.
  mutating func tellPage(
    _ event: PageMachine.Event, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard var page else { return }
    let outcome = page.handle(event, receiver.host, configuration, &actions, at: now)
    phase = .page(page, receiver)
    switch outcome {
    case .none: break
    case .shown:
      receiver.host.isDeaf = page.call.isForced
      record(ledger.beginPage(page.item.turn, at: now, wall: wall), &actions)
      timePage(page.item, &actions, at: now, wall: wall)
    case .stands: record(ledger.interim(at: now, wall: wall), &actions)
    case .over: endPage(.timeOver, &actions, at: now, wall: wall)
    case .unconfirmed(let seenAt): abandonPage(page, seenAt, &actions, at: now, wall: wall)
    }
  }

  private func timePage(
    _ item: FeedWindow.Item, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    var rest = (item.limit ?? configuration.pageDuration).seconds - (ledger.shown(at: now) ?? 0)
    if let closes = item.place.closes { rest = min(rest, closes - wall) }
    actions.append(.startTimer(.entryEnd, after: .bounded(seconds: rest)))
    actions.append(.startTimer(.status, after: configuration.statusInterval))
    if !receiver.host.isDeaf { actions.append(.startTimer(.refresh, after: configuration.pictureRefresh)) }
  }

  /// The session is back: whether the page still stands there follows from whether its application has run on.
  mutating func resumePage(_ actions: inout [Action], at now: Tick, wall: WallTime) -> Bool {
    guard case .absent(let absence) = phase, case .page(let page, let receiver) = absence.show,
      ledger.current == page.item.turn, receiver.pending == nil
    else { return false }
    phase = .page(page, receiver)
    tellPage(.resumed, &actions, at: now, wall: wall)
    timePage(page.item, &actions, at: now, wall: wall)
    if setbacks.isFallingBack { timePause(&actions) }
    return true
  }

  /// The page has had its time, or makes room for what comes next.
  mutating func endPage(
    _ end: PlaybackLedger.PageEnd, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard let page else { return }
    // That its time is over was confirmed by the device a moment ago.
    let seen = end == .timeOver ? (now, wall) : lastSeen(at: now, wall: wall)
    record(ledger.endPage(page.item.turn, end, at: seen.0, wall: seen.1), &actions)
    let last = end == .timeOver ? shownPlace : nil
    dropWindow(&actions)
    receiver.lastPage = last
  }

  /// The application did not report that it listens, or sent no echo.
  private mutating func abandonPage(
    _ page: PageMachine, _ seenAt: Tick?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    let note = "the device did not confirm it"
    if let seenAt {
      let wall = wall.adding(seconds: (seenAt - now).seconds)
      settle(Loss(since: seenAt, wall: wall, ending: PlayEnding(.unreported, note)), &actions)
    } else {
      record(ledger.unplayable(page.item.turn, note: note, at: now, wall: wall), &actions)
      // What stands in for the list waits as the list does, which is tried first.
      if page.item.isFallback { setbacks.exhaustStandIn() }
      settleLoss(&actions, at: now, wall: wall)
    }
    open(.pages, anew: true, &actions)
  }
}
