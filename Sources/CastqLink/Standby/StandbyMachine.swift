package import CastProtocol

/// Decides whether this box feeds its site, where two boxes may.
///
///     waiting ──the lease is ours──> feeding ──another box has a newer epoch──> ending ──the command has ended──> waiting
///        '──no centre for a while, and ours was the last lease known──^  '──the command ended by itself──> waiting, later
///
/// The centre gives the lease to one box, with an epoch that grows with each change. A box that loses its centre feeds on: a site plays
/// without one. The epoch is in what it sends to devices, so that it yields there when another box has come meanwhile.
package struct StandbyMachine: Sendable {
  package enum Event: Sendable, Hashable {
    /// The centre's answer.
    /// - Parameters:
    ///   - isHeld: whether this box has the lease.
    ///   - epoch: the newest.
    ///   - box: to which it was given.
    case answered(isHeld: Bool, epoch: Int, box: String)
    /// The centre did not answer, for this reason.
    case unanswered(String)
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
    /// Have the command end.
    case end
    /// Give the lease back, and ask again after a pause, so that another box comes first.
    case release
    case report(String)
    /// - Parameter exit: that of the command; nil when it was ended.
    case finish(exit: Int?)
  }

  private enum Phase: Hashable {
    case waiting, stopping
    case feeding(Int)
    case ending
  }

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
  /// The newest epoch that was heard of.
  private var newest: Int
  /// When the centre answered last, or when this program began.
  private var heardAt: Tick
  /// The last line about who feeds, or about the centre: each is reported once.
  private var reported = ""

  /// - Parameters:
  ///   - site: for reports.
  ///   - own: the epoch that was remembered; 0 for none.
  package init(site: String, own: Int, at now: Tick) {
    self.site = site
    self.own = own
    newest = own
    heardAt = now
  }

  package mutating func handle(_ event: Event, at now: Tick) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .answered(let isHeld, let epoch, let box):
      heardAt = now
      newest = max(newest, epoch)
      isHeld ? granted(epoch, &actions) : denied(epoch, box, &actions)
    case .unanswered(let words): unanswered(words, &actions, at: now)
    case .ended(let exit): ended(exit, &actions)
    case .stop:
      guard phase != .waiting else { return [.finish(exit: nil)] }
      if phase != .stopping, phase != .ending { actions.append(.end) }
      phase = .stopping
    }
    return actions
  }

  private mutating func granted(_ epoch: Int, _ actions: inout [Action]) {
    switch phase {
    case .waiting:
      actions = begin(epoch, "this box feeds \(site), with epoch \(epoch)")
    case .feeding(let fed) where fed != epoch:
      // Another box had it meanwhile, and has sent its epoch to the devices.
      own = epoch
      actions =
        [.remember(epoch)] + yielding("another box had the lease of \(site) meanwhile; this one starts again")
    case .feeding, .ending, .stopping: break
    }
  }

  private mutating func denied(_ epoch: Int, _ box: String, _ actions: inout [Action]) {
    switch phase {
    case .waiting: report("box \(box) feeds \(site) since epoch \(epoch); this one waits", &actions)
    // The same epoch is a connection of our own that the centre has not ended yet.
    case .feeding(let fed) where epoch > fed:
      actions = yielding("box \(box) feeds \(site) since epoch \(epoch); this one yields")
    case .feeding, .ending, .stopping: break
    }
  }

  private mutating func unanswered(_ words: String, _ actions: inout [Action], at now: Tick) {
    report("the centre does not answer: \(words)", &actions)
    guard phase == .waiting, own > 0, own == newest, now - heardAt >= Self.patience else { return }
    actions += begin(own, "without the centre, this box feeds \(site) on, with epoch \(own)")
  }

  private mutating func ended(_ exit: Int, _ actions: inout [Action]) {
    switch phase {
    case .stopping: actions = [.finish(exit: nil)]
    case .ending: phase = .waiting
    case .waiting: break
    case .feeding:
      phase = .waiting
      // A wrong configuration does not become right by trying.
      if [64, 78].contains(exit) { return actions = [.release, .finish(exit: exit)] }
      report("the command ended with exit code \(exit); the lease is free", &actions)
      actions.append(.release)
    }
  }

  private mutating func begin(_ epoch: Int, _ words: String) -> [Action] {
    own = epoch
    phase = .feeding(epoch)
    reported = words
    return [.remember(epoch), .report(words), .start(epoch: epoch)]
  }

  private mutating func yielding(_ words: String) -> [Action] {
    phase = .ending
    reported = words
    return [.report(words), .end]
  }

  private mutating func report(_ words: String, _ actions: inout [Action]) {
    guard words != reported else { return }
    reported = words
    actions.append(.report(words))
  }
}
