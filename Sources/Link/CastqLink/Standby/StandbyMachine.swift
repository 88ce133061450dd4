package import CastProtocol
import CastqPlaylists

/// Decides whether this box feeds its site, where two boxes may.
///
///     waiting ──the lease is ours, as before──> feeding ──another box has it, or it was not renewed──> ending ──the command has ended──> waiting
///        │──the lease is ours anew──> taking ──the term of the box before is over──^  '──the command ended by itself──> waiting, later
///        '──no centre for a while, and ours was the last lease known──^
///
/// The centre gives the lease to one box, with an epoch that grows with each change. Each answer lets the box feed for a `term` from
/// the moment of the question on; the next box begins a term, and a `grace`, after it was given the lease. So the box before has
/// stopped by then, whatever it was cut from, and no clock is compared with another computer's.
///
/// A box that has lost its centre begins again after a while: a site plays without one. The epoch is in what it sends to devices, so
/// that it yields there, before it sends anything, when another box has come meanwhile.
package struct StandbyMachine: Sendable {
  package enum Event: Sendable, Hashable {
    /// The centre's answer.
    /// - Parameters:
    ///   - isHeld: whether this box has the lease.
    ///   - epoch: the newest.
    ///   - box: to which it was given.
    ///   - asked: when the question was sent.
    case answered(isHeld: Bool, epoch: Int, box: String, asked: Tick)
    /// The centre did not say who has the lease; the words are a sentence: "the centre refused: …".
    case unanswered(String)
    /// The time that was permitted may be over.
    case expired
    /// The command has ended, with this exit code.
    case ended(Int)
    /// This program is to end.
    case stop
  }

  package enum Action: Sendable, Hashable {
    /// Keep the epoch where a restart finds it, before anything is started with it.
    case remember(Int)
    /// Run the command with this epoch.
    case start(epoch: Int)
    /// The command may feed until then, and must be told; nil is as long as this program lives. Before `start`, and again and again.
    case permit(until: Tick?)
    /// Have the command end, as it does when somebody ends it.
    case end
    /// Nothing may be fed any more: have the command end, and leave what is on the screens to the other box.
    case revoke
    /// Give the lease back, and ask again after a pause, so that another box comes first.
    case release
    case report(String)
    /// - Parameter exit: that of the command; nil when it was ended.
    case finish(exit: Int?)
  }

  private enum Phase: Hashable {
    case waiting, stopping
    /// The lease is this box's since then, and another box may still feed.
    case taking(Int, since: Tick)
    case feeding(Int)
    case ending
  }

  /// How long a box may feed after it asked a centre that said yes.
  package static let term = Duration.seconds(6)
  /// What the next box waits beyond that, for what was under way when the time was over.
  package static let grace = Duration.seconds(1)
  /// How often the centre is asked.
  package static let interval = Duration.seconds(2)
  /// Seconds of silence after which the centre ends a box's connection, and with it the lease.
  package static let longestSilence = 10
  /// How long a box that had the last lease waits for the centre before it feeds without one.
  package static let patience = Duration.seconds(20)
  /// How long a box whose command failed leaves the lease to others.
  package static let pause = Duration.seconds(5)

  /// The newest epoch that this box was given; 0 when it never was. The centre is asked with it.
  package private(set) var own: Int
  private let site: String
  private var phase = Phase.waiting
  /// The epoch with which this box has fed last; 0 when it never did.
  private var fed: Int
  /// The newest epoch that was heard of.
  private var newest: Int
  /// When the centre answered last, the command ended last, or this program began: what comes without the centre comes later.
  private var heardAt: Tick
  /// Until when the command may feed; nil without a limit.
  private var permitted: Tick?
  /// The last line about who feeds, or about the centre: each is reported once.
  private var reported = ""

  /// - Parameters:
  ///   - site: for reports.
  ///   - own: the epoch that was remembered; 0 for none.
  package init(site: String, own: Int, at now: Tick) {
    self.site = site
    self.own = own
    (fed, newest) = (own, own)
    heardAt = now
  }

  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .answered(_, let epoch, _, _) where !(1...EntryTag.latestEpoch).contains(epoch):
      unanswered("the centre gives \(epoch) for an epoch of \(site), which is none", &actions, at: now)
    case .answered(let isHeld, let epoch, let box, let asked):
      heardAt = now
      newest = max(newest, epoch)
      isHeld ? granted(epoch, asked, &actions, at: now) : denied(epoch, box, &actions)
    case .unanswered(let words): unanswered(words, &actions, at: now)
    case .expired: expired(&actions, at: now)
    case .ended(let exit): ended(exit, &actions, at: now)
    case .stop:
      switch phase {
      case .waiting, .taking: return [.finish(exit: nil)]
      case .feeding: actions.append(.end)
      case .ending, .stopping: break
      }
      phase = .stopping
    }
    return actions
  }

  private mutating func granted(_ epoch: Int, _ asked: Tick, _ actions: inout [Action], at now: Tick) {
    // An answer that took longer than what it permits permits nothing.
    let end = asked + Self.term
    guard now < end else { return }
    switch phase {
    // The centre has gone back, as from an older copy of itself: each question brings it nearer to what the screens have seen.
    case .waiting where epoch < own, .taking where epoch < own:
      report(
        "the centre knows an older epoch of \(site), \(epoch), than \(own); this box waits for it", &actions)
    case .feeding(let feeding) where epoch < feeding:
      permitted = end
      actions.append(.permit(until: end))
    // Nobody fed before the first epoch, and with the same one it was this box.
    case .waiting where epoch == fed || epoch == 1:
      actions = begin(epoch, until: end, "this box feeds \(site), with epoch \(epoch)")
    case .waiting:
      own = epoch
      phase = .taking(epoch, since: now)
      report(
        "this box has the lease of \(site), with epoch \(epoch); the one before may feed for \(Self.term.components.seconds) s",
        &actions)
    case .taking(let taken, _) where taken != epoch:
      own = epoch
      phase = .taking(epoch, since: now)
    case .taking(_, let since):
      guard now - since >= Self.term + Self.grace else { return }
      actions = begin(epoch, until: end, "this box feeds \(site), with epoch \(epoch)")
    case .feeding(let feeding) where feeding != epoch:
      // Another box had it meanwhile, and has sent its epoch to the devices.
      own = epoch
      actions = yielding("another box had the lease of \(site) meanwhile; this one starts again")
    case .feeding:
      permitted = end
      actions.append(.permit(until: end))
    case .ending, .stopping: break
    }
  }

  private mutating func denied(_ epoch: Int, _ box: String, _ actions: inout [Action]) {
    switch phase {
    case .waiting, .taking:
      phase = .waiting
      report("box \(box) feeds \(site) since epoch \(epoch); this one waits", &actions)
    // The same epoch is a connection of our own that the centre has not ended yet.
    case .feeding(let feeding) where epoch > feeding:
      actions = yielding("box \(box) feeds \(site) since epoch \(epoch); this one yields")
    case .feeding, .ending, .stopping: break
    }
  }

  private mutating func unanswered(_ words: String, _ actions: inout [Action], at now: Tick) {
    report(words, &actions)
    // The lease went with the connection.
    if case .taking = phase { phase = .waiting }
    guard phase == .waiting, fed > 0, fed == newest, now - heardAt >= Self.patience else { return }
    actions += begin(fed, until: nil, "without the centre, this box feeds \(site) on, with epoch \(fed)")
  }

  private mutating func expired(_ actions: inout [Action], at now: Tick) {
    guard case .feeding = phase, let permitted, now >= permitted else { return }
    actions = yielding(
      "the centre has not answered for \(Self.term.components.seconds) s: another box may feed \(site) now, this one stops"
    )
  }

  private mutating func ended(_ exit: Int, _ actions: inout [Action], at now: Tick) {
    // It may have seen another box on a screen: without a centre it looks again, but not at once.
    heardAt = max(heardAt, now)
    switch phase {
    case .stopping: actions = [.finish(exit: nil)]
    case .ending: phase = .waiting
    case .waiting, .taking: break
    case .feeding:
      phase = .waiting
      // A wrong configuration does not become right by trying.
      if [64, 78].contains(exit) { return actions = [.release, .finish(exit: exit)] }
      report("the command ended with exit code \(exit); the lease is free", &actions)
      actions.append(.release)
    }
  }

  private mutating func begin(_ epoch: Int, until end: Tick?, _ words: String) -> [Action] {
    (own, fed) = (epoch, epoch)
    phase = .feeding(epoch)
    permitted = end
    reported = words
    return [.remember(epoch), .report(words), .permit(until: end), .start(epoch: epoch)]
  }

  private mutating func yielding(_ words: String) -> [Action] {
    phase = .ending
    reported = words
    return [.report(words), .revoke]
  }

  private mutating func report(_ words: String, _ actions: inout [Action]) {
    guard words != reported else { return }
    reported = words
    actions.append(.report(words))
  }
}
