import CastProtocol
package import CastqText

/// Keeps the share of voice of rules on one device: each earns its share of the time on the air, and pays for what it plays.
///
/// At the boundary of an item that rule plays whose next item has to be over first if it is to be in time; a rule that has had more
/// than its share waits. What is neither played nor owed by a share belongs to the base. This is fair queueing with the deadlines
/// of the items, and its bound: no share is ever ahead or behind by more than the longest item on the air (WF²Q; Bennett and Zhang
/// 1996). Time that nobody calls `itemEnded` for, because the device is dark, earns nothing.
package struct ShareMeter: Sendable, Hashable {
  /// What a rule may play next.
  package struct Offer: Sendable, Hashable {
    package let rule: RuleID
    package let terms: ShareTerms
    /// Milliseconds of its next item.
    package let length: Int64

    package init(rule: RuleID, terms: ShareTerms, length: Int64) {
      self.rule = rule
      self.terms = terms
      self.length = min(max(length, 0), ShareMeter.longest)
    }
  }

  /// What plays between shares.
  package enum Base: Sendable, Hashable {
    /// Nothing: shares have all of the time, in proportion.
    case none
    /// Milliseconds of its next item; nil when that is unknown.
    case item(Int64?)
  }

  package enum Choice: Sendable, Hashable {
    case share(RuleID)
    case base
    /// There is no base, and each rule has reached a limit.
    case nothing
  }

  /// By rule; rules that are off keep what they are owed.
  private var accounts: [RuleID: Account] = [:]

  /// What a rule is owed in milliseconds times 3,600, so that a share of an hour is a whole number: nothing is lost by rounding.
  private struct Account: Sendable, Hashable {
    var owed: Int64 = 0
    var playsInHour = 0
    var hour: Int64 = 0
    var lastEnd: WallTime?

    mutating func pay(_ milliseconds: Int64, at now: WallTime, hour: Int64) {
      owed -= milliseconds * 3600
      lastEnd = now
      playsInHour = (self.hour == hour ? playsInHour : 0) + 1
      self.hour = hour
    }
  }

  /// An hour in milliseconds, the most that is counted of one item.
  private static let longest: Int64 = 3_600_000

  package init() {}

  // MARK: rows

  /// Continues from rows.
  package init(_ credits: [RuleID: ShareCredit]) {
    accounts = credits.mapValues { credit in
      let owed = min(max(credit.owed, -Self.longest), Self.longest) * 3600
      return Account(
        owed: owed, playsInHour: min(max(credit.playsInHour, 0), 3_600_000), hour: credit.hour,
        lastEnd: credit.lastEnd)
    }
  }

  /// The rows, with what is owed in whole milliseconds.
  package var credits: [RuleID: ShareCredit] {
    accounts.mapValues { account in
      let half: Int64 = account.owed < 0 ? -1800 : 1800
      return ShareCredit(
        owed: (account.owed + half) / 3600, playsInHour: account.playsInHour, hour: account.hour,
        lastEnd: account.lastEnd)
    }
  }

  // MARK: playing

  /// What plays next.
  package func choice(of offers: [Offer], base: Base, at now: WallTime) -> Choice {
    let open = offers.filter { !isLimited($0, at: now) }
    let due = open.filter { owed($0.rule) >= 0 }
    let share = (due.isEmpty && base == .none ? open : due).min {
      isEarlier(deadline($0), deadline($1), $0, $1)
    }
    guard case .item(let length) = base else { return share.map { .share($0.rule) } ?? .nothing }
    guard let share else { return .base }
    // The base is one more of them, with what shares leave: what they are owed it has had too much.
    let rest = 3600 - offers.reduce(0) { $0 + Int64($1.terms.secondsPerHour) }
    let baseOwed = -offers.reduce(0) { $0 + owed($1.rule) }
    guard rest > 0, baseOwed >= 0 else { return .share(share.rule) }
    let own = Deadline(debt: min(max(length ?? 0, 0), Self.longest) * 3600 - baseOwed, share: rest)
    return deadline(share).isBefore(own) || !own.isBefore(deadline(share)) ? .share(share.rule) : .base
  }

  /// Counts an item that was on the air.
  /// - Parameters:
  ///   - rule: whose item it was; nil is the base's.
  ///   - milliseconds: how long it was seen.
  ///   - offers: the shares that were on meanwhile.
  ///   - base: whether there is one.
  package mutating func itemEnded(
    of rule: RuleID?, milliseconds: Int64, offers: [Offer], base: Base, at now: WallTime
  ) {
    let seen = min(max(milliseconds, 0), Self.longest)
    for offer in offers {
      accounts[offer.rule, default: Account()].owed += seen * Int64(offer.terms.secondsPerHour)
    }
    if let rule { accounts[rule, default: Account()].pay(seen, at: now, hour: Self.hour(of: now)) }
    level(offers, base)
    for offer in offers {
      // An hour at most, however long it could not play; no item counts for more, so this is never in the way of the bound.
      let bounded = min(max(owed(offer.rule), -Self.longest * 3600), Self.longest * 3600)
      accounts[offer.rule]?.owed = bounded
    }
  }

  /// Without a base, and where shares are more than the whole, time runs faster or slower for all of them: what they get is in
  /// proportion. A common step of time changes no order of deadlines.
  private mutating func level(_ offers: [Offer], _ base: Base) {
    let sum = offers.reduce(0) { $0 + Int64($1.terms.secondsPerHour) }
    guard sum > 0, base == .none || sum > 3600 else { return }
    let step = -offers.reduce(0) { $0 + owed($1.rule) } / sum
    for offer in offers { accounts[offer.rule]?.owed += step * Int64(offer.terms.secondsPerHour) }
  }

  // MARK: deadlines

  private func owed(_ rule: RuleID) -> Int64 { accounts[rule]?.owed ?? 0 }

  /// When an item has to be over, as a fraction of time from now.
  private struct Deadline {
    let debt: Int64
    let share: Int64

    func isBefore(_ other: Deadline) -> Bool {
      let (left, right) = (
        debt.multipliedFullWidth(by: other.share), other.debt.multipliedFullWidth(by: share)
      )
      return left.high != right.high ? left.high < right.high : left.low < right.low
    }
  }

  private func deadline(_ offer: Offer) -> Deadline {
    Deadline(debt: offer.length * 3600 - owed(offer.rule), share: Int64(offer.terms.secondsPerHour))
  }

  private func isEarlier(_ left: Deadline, _ right: Deadline, _ first: Offer, _ second: Offer) -> Bool {
    left.isBefore(right) || !right.isBefore(left) && first.rule < second.rule
  }

  private func isLimited(_ offer: Offer, at now: WallTime) -> Bool {
    guard let account = accounts[offer.rule] else { return offer.terms.maxPerHour.map { $0 <= 0 } ?? false }
    if let most = offer.terms.maxPerHour {
      if (account.hour == Self.hour(of: now) ? account.playsInHour : 0) >= most { return true }
    }
    // A clock that was set back is no reason to wait for it.
    if let last = account.lastEnd, last <= now { return now - last < Double(offer.terms.minGap) }
    return false
  }

  private static func hour(of moment: WallTime) -> Int64 { moment.wholeSeconds / 3600 }
}

/// What a rule is owed on a device: a row of `credit`.
package struct ShareCredit: Sendable, Hashable {
  /// Milliseconds; negative when it has had more than its share.
  package var owed: Int64
  /// Plays that ended in the hour of the clock.
  package var playsInHour: Int
  /// Hours since 1970.
  package var hour: Int64
  /// When its last play ended; nil when there was none.
  package var lastEnd: WallTime?

  package init(owed: Int64, playsInHour: Int = 0, hour: Int64 = 0, lastEnd: WallTime? = nil) {
    self.owed = owed
    self.playsInHour = playsInHour
    self.hour = hour
    self.lastEnd = lastEnd
  }
}
