public import CastProtocol

/// Decides what a face shows of casting, and what may be pressed: facts and intents go in with the time, actions come out, and the
/// models are computed on request.
///
/// It has no clock, draws nothing and sends nothing. `CastPresenter` drives it with a `CastContext`; a face that watches a session in
/// another process feeds it by itself:
///
///     var machine = PresentationMachine()
///     for action in machine.handle(.intent(.pressCastButton, IntentID(1)), at: now) { carryOut(action) }
///     draw(machine.snapshot(at: now))
public struct PresentationMachine: Sendable {
  /// The options it was created with.
  public let options: PresentationOptions

  var facts = PresentationFacts()
  var introduction: IntroductionState
  var isChooserOpen = false
  var isExpandedOpen = false
  var isMiniEnabled: Bool
  /// The item whose next one was hidden; nil when none was.
  var hiddenNext: ItemName?
  var notices: [PresentationNotice] = []
  var records: [IntentRecord] = []
  private var lastNoticeID = 0
  private var timerDue: Tick?
  private var isListShown = false
  private var requestedImages: [Image] = []
  private var hadMedia = false
  /// What played when the connection was lost, until something plays again; nil when it was not lost.
  private var lostItem: ItemName?
  private var lastItem: ItemName?

  /// Maximum number of notices that are kept; the oldest go first.
  public static let noticeLimit = 16
  /// Maximum number of intents whose outcome is kept; the oldest go first.
  public static let recordLimit = 128
  /// Maximum number of intents that may be pending; more are refused.
  public static let pendingLimit = 64
  /// Shortest time between two timer events: 20 ms, whatever the options say.
  public static let shortestWait = Duration.milliseconds(20)

  /// An item of a media session.
  struct ItemName: Sendable, Hashable {
    let session: MediaSessionID
    let item: MediaQueueItemID?
  }

  /// A presentation without any facts.
  public init(options: PresentationOptions = PresentationOptions()) {
    self.options = options
    introduction = options.introduction == nil ? .over : .unclaimed
    isMiniEnabled = options.isMiniControllerEnabled
  }

  /// Accepts an event; every event is allowed at any time.
  /// - Parameters:
  ///   - event: a fact, an intent, an outcome, or the timer.
  ///   - now: the time; it should not go backwards, and nothing breaks if it does.
  /// - Returns: what must be done, in this order.
  public mutating func handle(_ event: PresentationEvent, at now: Tick) -> [PresentationAction] {
    let actions = reduce(event, at: now)
    return actions + settle(at: now)
  }

  /// The models at a time.
  public func snapshot(at now: Tick) -> PresentationSnapshot {
    let shown = ShownValues(facts, options, at: now)
    let media = MediaController(facts, options, shown: shown, at: now)
    let volume = DeviceVolumeControl(facts, options, shown: shown)
    let next = hiddenNext == itemName ? nil : UpNextModel(facts, options, media)
    return PresentationSnapshot(
      castButton: CastButtonModel(facts, introduction: introduction),
      deviceChooser: DeviceChooserModel(
        facts, options, volume: volume, media: media, isOpen: isChooserOpen, at: now),
      introduction: IntroductoryOverlayModel(options.introduction, introduction),
      media: media,
      miniController: MiniControllerModel(
        facts, options, media, isEnabled: isMiniEnabled, isExpandedOpen: isExpandedOpen),
      expandedController: ExpandedControllerModel(
        facts, options, media, upNext: next, isOpen: isExpandedOpen),
      playbackRate: PlaybackRateControl(
        rate: shown.rate, permission: media.permissions.playbackRate,
        isPending: facts.isPending { if case .setPlaybackRate = $0 { true } else { false } }),
      deviceVolume: volume,
      trackChooser: TrackChooserModel(facts, permission: media.permissions.tracks),
      notices: notices, intents: records)
  }

  private mutating func reduce(_ event: PresentationEvent, at now: Tick) -> [PresentationAction] {
    switch event {
    case .devices(let devices, let isSearching, let problems):
      (facts.devices, facts.isSearching, facts.problems) = (devices, isSearching, problems)
      // First availability: the button can be pressed, and nobody knows it yet.
      guard !devices.isEmpty, introduction == .unclaimed else { return [] }
      introduction = .claiming(opensChooser: false)
      return [.claimIntroduction]
    case .session(let session): adopt(session, at: now)
    case .receiverStatus(let status): facts.receiver = status
    case .multizone(let event): note(event)
    case .application(let application): facts.application = application
    case .mediaStatus(let status, let age):
      facts.status = status
      facts.statusAt = Tick(now.sinceStart - min(max(age, .zero), .longest))
    case .queuePlace(let place): facts.queuePlace = place
    case .upNext(let item): facts.upNext = item
    case .foreignAction(let action): report(action, at: now)
    case .introductionClaimed(let isFirst): introductionWasClaimed(isFirst)
    case .artwork(let use, let image, let state):
      // An answer about images that were replaced meanwhile.
      guard image.map({ facts.images.contains($0) }) ?? true else { break }
      facts.artwork[use] = PresentationFacts.SelectedImage(image: image, state: state)
    case .intent(let intent, let id): return accept(intent, id, at: now)
    case .finished(let id, let failure): finish(id, failure, at: now)
    case .superseded(let id): end(id, .superseded)
    case .timerFired: timerDue = nil
    }
    return []
  }

  private mutating func introductionWasClaimed(_ isFirst: Bool) {
    guard case .claiming(let opensChooser) = introduction else { return }
    introduction = isFirst ? .visible : .over
    if !isFirst, opensChooser { isChooserOpen = true }
  }

  /// The current item; nil when nothing is loaded.
  var itemName: ItemName? { facts.media.map { ItemName(session: $0.mediaSessionID, item: $0.currentItemID) } }

  // MARK: - Consequences

  /// What follows from the facts, whichever event brought them.
  private mutating func settle(at now: Tick) -> [PresentationAction] {
    let hasMedia = facts.media != nil
    switch facts.openSession?.phase {
    case .suspended, .moving: lostItem = lostItem ?? lastItem
    case .connecting, .connected, .ended, nil: break
    }
    // What plays on after the connection was lost has not begun anew, though nothing was heard of it for a while.
    if hasMedia, !hadMedia, lostItem != itemName, options.opensExpandedControllerAutomatically {
      isExpandedOpen = true
    }
    if facts.isConnected, hasMedia || lostItem == nil { (lastItem, lostItem) = (itemName, nil) }
    if facts.openSession == nil { (lastItem, lostItem) = (nil, nil) }
    if !hasMedia { isExpandedOpen = false }
    hadMedia = hasMedia
    if hiddenNext != itemName { hiddenNext = nil }
    return settleList() + settleArtwork() + settleTimer(at: now)
  }

  private mutating func settleList() -> [PresentationAction] {
    // The dialog about the connected device lists the others, too.
    let isConnecting = if case .connecting = facts.openSession?.phase { true } else { false }
    let isShown = isChooserOpen && !isConnecting
    guard isShown != isListShown else { return [] }
    isListShown = isShown
    return [.showDeviceList(isShown)]
  }

  private mutating func settleArtwork() -> [PresentationAction] {
    let images = facts.images
    guard images != requestedImages else { return [] }
    requestedImages = images
    facts.artwork = [:]
    return images.isEmpty ? [] : ArtworkUse.allCases.map { .loadArtwork(images, $0) }
  }

  /// The timer wakes when something that is shown changes by itself: the end of an optimism or of a time of
  /// echoes, a position, a countdown.
  private mutating func settleTimer(at now: Tick) -> [PresentationAction] {
    let ends = facts.pending.map { $0.since + options.optimism } + facts.requestedVolume.ends
    var next = ends.filter { $0 > now }.min()
    if let interval = options.positionInterval, countsBySecond {
      let tick = now + max(interval, Self.shortestWait)
      next = min(next ?? tick, tick)
    }
    guard let next else {
      guard timerDue != nil else { return [] }
      timerDue = nil
      return [.stopTimer]
    }
    if let timerDue, timerDue <= next { return [] }
    timerDue = next
    return [.startTimer(max(next - now, Self.shortestWait))]
  }

  private var countsBySecond: Bool {
    if case .suspended(_, _?) = facts.openSession?.phase { return true }
    return facts.isConnected && facts.media?.playerState == .playing
  }

  // MARK: - Notices

  mutating func post(
    _ kind: PresentationNotice.Kind, _ message: String, _ nextStep: String = "", at now: Tick
  ) {
    // The end of a session and the failure of what was asked of it report the same error.
    guard notices.last?.message != message else { return }
    lastNoticeID += 1
    notices.append(
      PresentationNotice(id: lastNoticeID, kind: kind, message: message, nextStep: nextStep, at: now))
    if notices.count > Self.noticeLimit { notices.removeFirst() }
  }
}
