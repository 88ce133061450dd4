import CastProtocol
import CastqPlaylists
import CastqText

/// Web pages stand on the sender's clock in an application of their own, which reports no media: the evidence is
/// its echo of the message, and that it has run since (protocol 15).
///
///     resting ──a page comes, a media receiver runs──> idle (`.open(.pages)`)
///        ^ └──a page comes, its application runs──> loading ──echo──> feeding ──time over──┐
///        └───────────────────────────────────────────────────────────────────────────────────────┘
extension FeederMachine {
  /// What is due needs another application than the one that runs.
  mutating func open(
    _ application: FeedApplication, anew: Bool = false, _ actions: inout [Action]
  ) {
    phase = .idle
    pages.host = nil
    rows.expire()
    actions.append(.open(application, anew: anew))
  }

  mutating func loadPage(_ place: UpcomingEntry, _ actions: inout [Action], at now: Tick, wall: WallTime) {
    // After a forced page the application no longer listens (protocol 15).
    if pages.isHostDeaf {
      pages.isHostDeaf = false
      return open(.pages, anew: true, &actions)
    }
    let (offered, _) = prepare([place], &actions)
    guard let item = offered.first else { return }
    var held = Holding()
    held.window.insert([item], before: nil)
    held.window.moveTo(item.turn)
    phase = .loading(Load(held: held, awaited: []))
    pages.ended = nil
    pages.call = PageCall(place.draft.media)
    actions.append(.startTimer(.page, after: configuration.pagePatience))
    askForPage(&actions, at: now, wall: wall)
  }

  /// The device says what runs.
  mutating func learn(
    _ application: ApplicationMetadata?, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard self.application == .pages else { return }
    let host = PageHost(application)
    // A message from before it listened is lost.
    if host.isReady, pages.host?.isReady == false, phase.isLoading { pages.call?.isAsked = false }
    pages.host = host
    guard phase.isFeeding, let page = pages.call else { return askForPage(&actions, at: now, wall: wall) }
    // An application that has ended ends its session, too: this one runs.
    pages.call?.seenAt = now
    if page.isOver { return endPage(.timeOver, &actions, at: now, wall: wall) }
    if page.isWatched { record(ledger.interim(at: now, wall: wall), &actions) }
    pages.call?.isWatched = false
  }

  private mutating func askForPage(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    guard phase.isLoading, let page = pages.call, !page.isAsked, let host = pages.host,
      let namespace = host.namespace,
      host.isReady || page.isOverdue
    else { return }
    pages.call?.isAsked = true
    actions += [
      .tell(namespace: namespace, page.message.text), .startTimer(.page, after: configuration.pagePatience),
    ]
    guard page.isForced else { return }
    // It sends nothing: that the message was sent is all that is known.
    pages.isHostDeaf = true
    pageShown(&actions, at: now, wall: wall)
  }

  mutating func pageSaid(
    _ text: String, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    guard let page = pages.call, page.isConfirmed(by: text) else { return }
    if phase.isLoading { return pageShown(&actions, at: now, wall: wall) }
    pages.call?.seenAt = now
    pages.call?.isAsked = false
    actions.append(.cancelTimer(.page))
  }

  private mutating func pageShown(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    guard let current = window.current else { return }
    phase = .feeding(held)
    pages.call?.isAsked = false
    pages.call?.seenAt = now
    actions.append(.cancelTimer(.page))
    record(ledger.beginPage(current.turn, at: now, wall: wall), &actions)
    timePage(current, &actions, at: now, wall: wall)
  }

  private func timePage(
    _ item: FeedWindow.Item, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    var rest = (item.limit ?? configuration.pageDuration).seconds - (ledger.shown(at: now) ?? 0)
    if let closes = item.place.closes { rest = min(rest, closes - wall) }
    actions.append(.startTimer(.entryEnd, after: .bounded(seconds: rest)))
    actions.append(.startTimer(.status, after: configuration.statusInterval))
    if !pages.isHostDeaf { actions.append(.startTimer(.refresh, after: configuration.pictureRefresh)) }
  }

  /// The session is back: whether the page still stands there follows from whether its application has run on.
  mutating func resumePage(_ actions: inout [Action], at now: Tick, wall: WallTime) -> Bool {
    guard let current = window.current, pages.call != nil, ledger.current == current.turn, pending == nil,
      !past.startsOver
    else { return false }
    phase = .feeding(held)
    pages.call?.seenAt = now
    timePage(current, &actions, at: now, wall: wall)
    if setbacks.isFallingBack { timePause(&actions) }
    return true
  }

  /// How long it has stood there is written down from time to time, as far as its device says that it is there.
  mutating func watchPage(_ actions: inout [Action]) {
    pages.call?.isWatched = true
    actions += [.requestApplication, .startTimer(.status, after: configuration.statusInterval)]
  }

  /// The page has had its time, if it was there for all of it: the device is to say that its application still runs.
  mutating func pageTimeOver(_ actions: inout [Action]) {
    pages.call?.isOver = true
    actions += [.requestApplication, .startTimer(.page, after: configuration.pagePatience)]
  }

  /// The page has had its time, or makes room for what comes next.
  mutating func endPage(
    _ end: PlaybackLedger.PageEnd, _ actions: inout [Action], at now: Tick, wall: WallTime
  ) {
    if let turn = window.current?.turn {
      // That its time is over was confirmed by the device a moment ago.
      let seen = end == .timeOver ? (now, wall) : lastSeen(at: now, wall: wall)
      record(ledger.endPage(turn, end, at: seen.0, wall: seen.1), &actions)
    }
    pages.ended = end == .timeOver ? shownPlace : nil
    dropWindow(&actions)
  }

  /// Smart displays close an application that has received nothing for ten minutes (protocol 15).
  mutating func refreshPage(_ actions: inout [Action]) {
    guard phase.isFeeding, let page = pages.call, let namespace = pages.host?.namespace else { return }
    pages.call?.isAsked = true
    actions += [
      .tell(namespace: namespace, page.message.text), .startTimer(.page, after: configuration.pagePatience),
      .startTimer(.refresh, after: configuration.pictureRefresh),
    ]
  }

  /// The application did not report that it listens, or sent no echo.
  mutating func pageOverdue(_ actions: inout [Action], at now: Tick, wall: WallTime) {
    guard let page = pages.call, let current = window.current else { return }
    if phase.isLoading, !page.isAsked, !page.isOverdue {
      pages.call?.isOverdue = true
      actions.append(.startTimer(.page, after: configuration.pagePatience))
      return askForPage(&actions, at: now, wall: wall)
    }
    let note = "the device did not confirm it"
    if phase.isLoading {
      record(ledger.unplayable(current.turn, note: note, at: now, wall: wall), &actions)
      // What stands in for the list waits as the list does, which is tried first.
      if current.isFallback { setbacks.exhaustStandIn() }
      settleLoss(&actions, at: now, wall: wall)
    } else {
      let unseen = (page.seenAt - now).seconds
      let ending = PlayEnding(.unreported, note)
      settle(
        Loss(since: page.seenAt, wall: wall.adding(seconds: unseen), ending: ending), &actions, at: now,
        wall: wall)
    }
    open(.pages, anew: true, &actions)
  }
}
