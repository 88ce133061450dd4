import CastProtocol

/// A run that ends what an earlier feeder has left on the screen, and shows nothing itself.
///
///     idle ──> session ──ours, adopted──> stopped
///                ├──not ours, nothing──> rows closed, left
///                └──application gone──> rows closed
///
/// Its session joins an application that runs and launches none, so that the screen of a guest stays as it is.
extension RunnerMachine {
  mutating func beginClearing(_ clearing: RunnerConfiguration.Clearing) {
    application.kind = clearing.application
    openSession()
  }

  /// Ends the run as soon as it is known what is on the screen.
  mutating func clearScreen() {
    guard let clearing = configuration.clearing, session?.isConnected == true, feeder.knowsReceiver,
      requests.reads == 0
    else { return }
    // The application of web pages does not say whose page it shows: the rows do.
    if clearing.application == .pages || clearing.quits && feeder.isShowing { exit.action = .stopApplication }
    feed(.stop(clearing.reason))
    end = end ?? .stopped
  }

  /// The application that the rows name does not run: the plays that are open there are over.
  mutating func leaveCleared() {
    actions.append(.recover(keeping: []))
    end = .stopped
  }
}
