import CastProtocol
import CastSender
import CastqLink
import CastqPostgres
import CastqStore
import CastqText

/// Asks the centre for the lease of this site, on a connection of its own: the lease lasts as long as that. libpq blocks its caller, so
/// the actor has a thread of its own.
actor LeaseKeeper {
  private let executor = StoreExecutor()
  private let address: CentreAddress
  private let site: String
  private let box: String
  private let interrupt = PostgresInterrupt()
  private var centre: Centre?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(address: CentreAddress, site: String, box: String) {
    self.address = address
    self.site = site
    self.box = box
  }

  /// - Parameters:
  ///   - known: the epoch that this box was given last; 0 for none.
  ///   - asked: the time before this question.
  func ask(known: Int, at asked: Tick) -> StandbyMachine.Event {
    do throws(PostgresError) {
      if centre == nil { centre = try connect() }
      guard let centre else { return .unanswered("the centre does not answer: there is no connection") }
      let lease = try centre.lease(of: site, for: box, known: known)
      return .answered(isHeld: lease.isHeld, epoch: lease.epoch, box: lease.box, asked: asked)
    } catch {
      centre = nil
      return .unanswered(Failure(error).typed.shown.message)
    }
  }

  /// Ends what it waits for, for good. Safe from anywhere.
  nonisolated func abort() { interrupt.raise() }

  /// Gives the lease back.
  func release() { centre = nil }

  private func connect() throws(PostgresError) -> Centre {
    let centre = Centre(
      try PostgresConnection(
        address, name: "castq-link standby \(site)",
        patience: .init(StandbyMachine.term, by: TimeSource.continuous.now), interrupt: interrupt))
    try centre.endWhenSilent(for: StandbyMachine.longestSilence)
    return centre
  }
}
