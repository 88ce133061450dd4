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
}
