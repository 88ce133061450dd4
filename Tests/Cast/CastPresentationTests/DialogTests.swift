import CastPresentation
import CastProtocol
import CastSender
import Synchronization
import Testing

/// The dialogs of several presenters of one context, and what waits for an outcome.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DialogTests {
  @Test("discovery asks often until the last list has closed, then as the program has set meanwhile")
  func pace() async throws {
    try await Stage.run(context: { $0.discoveryInterfaces = ["nowhere0"] }) { stage in
      let discovery = stage.context.discoveryManager
      let (one, two) = (stage.presenter(), stage.presenter())
      one.send(.pressCastButton)
      two.send(.pressCastButton)
      discovery.isPassive = true
      #expect(!discovery.isPassive)
      one.send(.closeChooser)
      #expect(!discovery.isPassive, "the other dialog is open")
      two.send(.closeChooser)
      #expect(discovery.isPassive)
      two.send(.pressCastButton)
      #expect(!discovery.isPassive)
      two.close()
      #expect(discovery.isPassive, "a closed presenter shows no list")
    }
  }

  @Test("an outcome is heard although so many newer intents followed at once that its record is gone")
  func hearsOutcome() async throws {
    try await Stage.run { stage in
      let busy = BusyIntroduction()
      let presenter = CastPresenter(context: stage.context, introductions: busy)
      busy.occupy(presenter)
      // The press is done before the introduction is claimed, which is in the middle of it.
      try await presenter.perform(.pressCastButton)
      #expect(presenter.snapshot.intents.allSatisfy { $0.intent == .closeChooser })
    }
  }
}

/// Sends more intents than there are records of when it is claimed.
private final class BusyIntroduction: IntroductionStore {
  private struct Weak: Sendable { weak var presenter: CastPresenter? }
  private let holder = Mutex(Weak())

  func occupy(_ presenter: CastPresenter) { holder.withLock { $0.presenter = presenter } }

  func claim() -> Bool {
    let presenter = holder.withLock(\.presenter)
    for _ in 0...PresentationMachine.recordLimit { presenter?.send(.closeChooser) }
    return false
  }

  func reset() {}
}
