import CastProtocol

/// A web page from its request to its end. It stands on the sender's clock in an application of its own, which reports no media: the
/// evidence is its echo of the message, and that it has run since (protocol 15).
///
///     asking ──echo, or sent by force──> shown ──its time is over, its application runs──> over
///        └──no echo──> unconfirmed <──no sign──┘
struct PageMachine: Sendable {
  enum Event: Sendable, Hashable {
    case requested
    /// The device says what runs; whether the application begins to listen with that.
    case host(beginsToListen: Bool)
    /// The application sent this.
    case said(String)
    /// It has had its time to answer.
    case answerDue
    /// It is time to ask whether it still stands there.
    case watch
    /// It has been there for so long that the device may close it.
    case refresh
    /// It has had its time, if it was there for all of it.
    case timeOver
    /// The session is back.
    case resumed
  }

  /// What became of the page.
  enum Outcome: Sendable, Hashable {
    case none
    /// It is displayed.
    case shown
    /// It still stands there, and this is to be written down.
    case stands
    /// It has been there for its time.
    case over
    /// The device did not confirm it; it was there until that moment, nil is never.
    case unconfirmed(Tick?)
  }

  enum Phase: Sendable, Hashable {
    /// The message was sent, or waits until the application listens; `isOverdue` when that has had its time to say so.
    case asking(isAsked: Bool, isOverdue: Bool)
    case shown(Shown)
  }

  struct Shown: Sendable, Hashable {
    /// When the device last reported that its application runs.
    var seenAt: Tick
    /// It was sent again, and the echo has not come.
    var isAsked = false
    /// The device was asked whether it still stands there, so that this can be written down.
    var isWatched = false
    /// Its time is over; the device has not confirmed yet that it was displayed.
    var isOver = false
  }

  let item: FeedWindow.Item
  let call: PageCall
  private(set) var phase = Phase.asking(isAsked: false, isOverdue: false)

  init(_ item: FeedWindow.Item, _ call: PageCall) {
    self.item = item
    self.call = call
  }

  var isShown: Bool { if case .shown = phase { true } else { false } }

  mutating func handle(
    _ event: Event, _ host: PageHost, _ configuration: FeederConfiguration,
    _ actions: inout [FeederMachine.Action], at now: Tick
  ) -> Outcome {
    let answer = FeederMachine.Action.startTimer(.page, after: configuration.pagePatience)
    func tell() -> Bool {
      guard let namespace = host.namespace else { return false }
      actions += [.tell(namespace: namespace, call.message.text), answer]
      return true
    }
    /// Sends the message, if the application listens.
    func ask(isOverdue: Bool) -> Outcome {
      let isAsked = (host.isReady == true || isOverdue) && tell()
      phase = .asking(isAsked: isAsked, isOverdue: isOverdue)
      // It sends nothing: that the message was sent is all that is known.
      return isAsked && call.isForced ? show() : .none
    }
    func show() -> Outcome {
      phase = .shown(Shown(seenAt: now))
      actions.append(.cancelTimer(.page))
      return .shown
    }
    switch (phase, event) {
    case (.asking(let isAsked, let isOverdue), .host(let beginsToListen)):
      // A message from before it listened is lost.
      return isAsked && !beginsToListen ? .none : ask(isOverdue: isOverdue)
    case (.asking(false, let isOverdue), .requested): return ask(isOverdue: isOverdue)
    case (.asking(true, _), .said(let text)): return call.isEchoed(by: text) ? show() : .none
    case (.asking(false, false), .answerDue):
      actions.append(answer)
      return ask(isOverdue: true)
    case (.asking, .answerDue): return .unconfirmed(nil)
    case (.asking, .requested), (.asking, .said), (.asking, .watch), (.asking, .refresh),
      (.asking, .timeOver), (.asking, .resumed), (.shown, .requested):
      return .none
    case (.shown(var shown), .host):
      // An application that has ended ends its session, too: this one runs.
      let wasWatched = shown.isWatched
      (shown.seenAt, shown.isWatched) = (now, false)
      phase = .shown(shown)
      return shown.isOver ? .over : wasWatched ? .stands : .none
    case (.shown(var shown), .said(let text)):
      guard shown.isAsked, call.isEchoed(by: text) else { return .none }
      (shown.seenAt, shown.isAsked) = (now, false)
      phase = .shown(shown)
      actions.append(.cancelTimer(.page))
    case (.shown(let shown), .answerDue): return .unconfirmed(shown.seenAt)
    // How long it has stood there is written down from time to time, as far as its device says that it is there.
    case (.shown(var shown), .watch):
      shown.isWatched = true
      phase = .shown(shown)
      actions += [.requestApplication, .startTimer(.status, after: configuration.statusInterval)]
    // Smart displays close an application that has received nothing for ten minutes (protocol 15).
    case (.shown(var shown), .refresh):
      guard tell() else { return .none }
      shown.isAsked = true
      phase = .shown(shown)
      actions.append(.startTimer(.refresh, after: configuration.pictureRefresh))
    // The device is to say that its application still runs.
    case (.shown(var shown), .timeOver):
      shown.isOver = true
      phase = .shown(shown)
      actions += [.requestApplication, answer]
    case (.shown(var shown), .resumed):
      shown.seenAt = now
      phase = .shown(shown)
    }
    return .none
  }
}
