import CastProtocol
import CastqText

/// What shares have played and play between the items of others.
struct ShareInterludes: Sendable {
  var meter: ShareMeter
  /// The rule whose item is on the screen; nil when it is an item of what is on.
  var playing: RuleID?
  /// How much of that item was shown before: by another process, or until the device was lost.
  var earlier = Duration.zero
  /// What could be played when the item began.
  var offers: [ShareMeter.Offer] = []
  var base = ShareMeter.Base.none
}

extension ScheduleScreen {
  /// Continues the item of a share that another process has left.
  /// - Returns: false when it may not: the share is over, or what is not interrupted is on.
  mutating func resume(_ share: ScheduleMachine.LeftShare, at now: Tick, wall: WallTime) -> Bool {
    if let rule = rules[onAir], RuleRank(rule).isTrigger { return false }
    for entry in rules.agenda.entries(at: wall)
    where !shares.offers.contains(where: { $0.rule == entry.rule.id }) {
      // Each of them earns its part of the item; how long their next items are is not asked now.
      guard case .share(let terms) = entry.rule.kind else { continue }
      shares.offers.append(.init(rule: entry.rule.id, terms: terms, length: 0))
    }
    guard shares.offers.contains(where: { $0.rule == share.rule }), let rule = rules[share.rule] else {
      shares.offers = []
      return false
    }
    shares.base = onAir != nil || rules.device.hasBase ? .item(nil) : .none
    shares.playing = share.rule
    visibility = .seen(since: now)
    shares.earlier = .bounded(seconds: share.shown(at: wall))
    actions.append(.resumeShare(programme: rule.programme))
    return true
  }

  /// The device is lost. The item of a share continues when it is back; any other is counted now.
  /// - Parameter isStart: whether nothing was seen of what is on the air.
  mutating func loseItem(isStart: Bool, at now: Tick, wall: WallTime) {
    if shares.playing == nil { countItem(at: now, wall: wall) }
    if case .seen(let since) = visibility {
      shares.earlier += now - since
      let unseen = isStart && onAir?.occurrence.end == nil ? onAir?.occurrence.key : nil
      visibility = .dark(unseen: unseen)
    }
    if shares.playing == nil { shares.earlier = .zero }
  }

  /// The device is back. What is on is shown again, unless the item of a share continues: an item whose share is over does not.
  mutating func continueAfterDark(_ onAir: ScheduleDecision.OnAir?, at now: Tick, wall: WallTime) {
    if let rule = shares.playing {
      if rules.agenda.entries(at: wall).contains(where: { $0.rule.id == rule }) { return }
      countItem(at: now, wall: wall)
    }
    actions.append(.show(showing(resume: .second)))
  }

  /// Counts the item that was on the screen until now; not what was dark.
  mutating func countItem(at now: Tick, wall: WallTime) {
    let seen: Int64
    switch visibility {
    case .seen(let since):
      seen = (now - since + shares.earlier).wholeMilliseconds
      visibility = .seen(since: now)
    case .dark:
      // Only an item that was to continue is left to be counted.
      guard shares.playing != nil else { return }
      seen = shares.earlier.wholeMilliseconds
    }
    let rule = shares.playing
    (shares.playing, shares.earlier) = (nil, .zero)
    guard rule != nil || !shares.offers.isEmpty && seen > 0 else { return }
    shares.meter.itemEnded(of: rule, milliseconds: seen, offers: shares.offers, base: shares.base, at: wall)
    actions.append(.credits(shares.meter.credits))
  }

  /// A share that is over earns nothing any more: what was shown until now is counted.
  mutating func endShares(at now: Tick, wall: WallTime) {
    guard !shares.offers.isEmpty else { return }
    let active = Set(rules.agenda.entries(at: wall).map(\.rule.id))
    guard shares.offers.contains(where: { !active.contains($0.rule) }) else { return }
    let playing = shares.playing
    countItem(at: now, wall: wall)
    shares.playing = playing
    shares.offers.removeAll { !active.contains($0.rule) }
  }

  /// Between two items of what is on, plays the share that is due, or continues. An announcement is not interrupted.
  /// - Parameter afterShare: whether an item of a share has ended, after which what is on has to be shown again.
  mutating func playShare(_ lengths: [RuleID: Int64], _ own: Int64?, afterShare: Bool, wall: WallTime) {
    let hasOwn = onAir != nil || rules.device.hasBase
    shares.base = hasOwn ? .item(own) : .none
    shares.offers = []
    for entry in rules.agenda.entries(at: wall)
    where !shares.offers.contains(where: { $0.rule == entry.rule.id }) {
      guard case .share(let terms) = entry.rule.kind, let length = lengths[entry.rule.id] else { continue }
      shares.offers.append(.init(rule: entry.rule.id, terms: terms, length: length))
    }
    if let rule = rules[onAir], RuleRank(rule).isTrigger { return }
    switch shares.meter.choice(of: shares.offers, base: shares.base, at: wall) {
    case .share(let rule):
      shares.playing = rule
      actions.append(.playShare(rule, programme: rules[rule]?.programme ?? ""))
    // Nothing is the queue, too: what people put in plays, and until then the screen is dark.
    case .base, .nothing: if afterShare { actions.append(.show(showing(resume: .second))) }
    }
  }
}
