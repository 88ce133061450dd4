import CastProtocol
import CastReceiverSim
import Testing

/// An application that shows web pages (protocol 15).
struct DashCastTests {
  private static let page =
    #"{"url":"https://signage.example/board","force":false,"reload":true,"reload_time":60000}"#
  private static let forced = #"{"url":"https://bank.example/","force":true}"#

  private func say(_ stage: inout Stage, _ text: String, _ namespace: Namespace? = nil) -> [CastMessage] {
    stage.receiver.handle(
      .received(
        CastMessage(
          source: "sender-0", destination: stage.transport,
          namespace: namespace ?? DashCastApplication.publicNamespace, payload: .string(text)),
        from: Stage.connection))
    return stage.receiver.takeOutputs().compactMap(\.message)
  }

  private func stage(
    _ application: String = DashCastApplication.publicID,
    _ change: (inout ReceiverConfiguration) -> Void = { _ in }
  ) -> Stage {
    var configuration = ReceiverConfiguration()
    // The sender of these tests sends no PINGs.
    configuration.silenceLimit = .seconds(86_400)
    change(&configuration)
    return Stage(configuration, application: application)
  }

  private func shown(_ stage: Stage) -> JSONValue? {
    stage.receiver.model.report(at: stage.receiver.now)["application"]?["page"]
  }

  @Test(
    "it reports a namespace of its own, is ready a moment after its launch, and says back what it shows",
    arguments: [
      (DashCastApplication.publicID, DashCastApplication.publicNamespace),
      (DashCastApplication.keepAliveID, DashCastApplication.keepAliveNamespace),
    ])
  func shows(application: String, namespace: Namespace) throws {
    var stage = stage(application) { $0.pages.readyDelay = .seconds(2) }
    let early = stage.platform(["type": "GET_STATUS", "requestId": 9]).first?["status"]?["applications"]?
      .array?.first
    #expect(early?["namespaces"] == [["name": .string(namespace.rawValue)]])
    #expect(early?["statusText"] == "DashCast")
    #expect(say(&stage, Self.page, namespace).isEmpty)
    #expect(stage.receiver.model.screen(at: stage.receiver.now) == .loading)
    let ready = stage.wait(2, .receiver).last?["status"]?["applications"]?.array?.first
    #expect(ready?["statusText"] == "Application ready")
    let answer = say(&stage, Self.page, namespace)
    #expect(answer.map(\.payload) == [.string(Self.page)] && answer.first?.destination == "sender-0")
    #expect(
      stage.receiver.model.screen(at: stage.receiver.now) == .page(url: "https://signage.example/board"))
    #expect(shown(stage)?["reload"] == 60 && shown(stage)?["forced"] == false)
  }

  @Test("a forced page is not acknowledged, and nothing reaches the application afterwards")
  func force() {
    var stage = stage()
    _ = stage.wait(1)
    #expect(say(&stage, Self.forced).isEmpty)
    #expect(shown(stage)?["url"] == "https://bank.example/")
    #expect(say(&stage, Self.page).isEmpty)
    #expect(shown(stage)?["url"] == "https://bank.example/")
  }

  @Test(
    "what is no message for it changes nothing",
    arguments: [
      "", "[]", "{}", #"{"url":7}"#, "not JSON", #"{"url":"\#(String(repeating: "x", count: 20_000))"}"#,
    ])
  func hostile(text: String) {
    var stage = stage()
    _ = stage.wait(1)
    #expect(say(&stage, text).isEmpty && shown(stage)?["url"] == nil)
  }

  @Test(
    "the first launch of another application over it fails when the device is one of those, the second works")
  func cancels() {
    var stage = stage { $0.pages.cancelsLaunch = true }
    _ = stage.wait(1)
    let launch: JSONValue = ["type": "LAUNCH", "requestId": 5, "appId": "CC1AD845"]
    #expect(stage.platform(launch).map { $0["reason"] } == ["CANCELLED"])
    #expect(stage.platform(launch).isEmpty)
    let running = stage.wait(1, .receiver).last?["status"]?["applications"]?.array?.first?["appId"]
    #expect(running == "CC1AD845")
  }

  @Test(
    "a smart display closes it some minutes after the last message, the build that keeps itself alive never")
  func idles() throws {
    for (application, ends) in [
      (DashCastApplication.publicID, true), (DashCastApplication.keepAliveID, false),
    ] {
      var stage = stage(application) { $0.pages.idleTimeout = .seconds(600) }
      _ = stage.wait(1)
      let namespace =
        ends ? DashCastApplication.publicNamespace : DashCastApplication.keepAliveNamespace
      #expect(say(&stage, Self.page, namespace).count == 1)
      _ = stage.wait(590)
      #expect(say(&stage, Self.page, namespace).count == 1)
      _ = stage.wait(590)
      #expect(shown(stage) != nil)
      _ = stage.wait(20)
      #expect((shown(stage) == nil) == ends)
    }
  }
}
