import CastProtocol
import CastReceiverSim
import Testing

/// What the world does to a device, as a session lives it (protocol 14).
struct OutsideWorldTests {
  private static func playing() -> RoughNetwork {
    var network = RoughNetwork()
    ReconnectTests.bring(&network, to: .playing)
    return network
  }

  @Test("another sender that launches something takes the device away, and the session says so")
  func takeover() {
    var network = Self.playing()
    network.control(.takeover(appID: EchoApplication.mediaID))
    network.run(for: .seconds(5))
    #expect(network.end??.code == .applicationReplaced, "\(network.story)")
  }

  @Test("another sender's load over ours is told as what it is, and the session goes on")
  func foreignLoad() {
    var network = Self.playing()
    network.control(.foreignLoad(url: "http://media/v9.mp4", contentType: nil))
    network.run(for: .seconds(5))
    let loaded = network.events.contains { event in
      guard case .foreignAction(.loaded(let status)) = event.event else { return false }
      return status.mediaInformation?.contentID == "http://media/v9.mp4"
    }
    #expect(loaded && network.isActive, "\(network.story)")
  }

  @Test(
    "a session outlives what only interrupts the device, and knows whether it found the same application again",
    arguments: [
      (SimControl.resetConnections, true), (.reboot(downFor: .seconds(8)), false),
      (.drop(for: .seconds(20), .silent), true), (.sleep, true),
    ])
  func interruptions(control: SimControl, isSame: Bool) {
    var network = Self.playing()
    network.control(control)
    network.run(for: .seconds(120))
    let resumed = network.events.compactMap { event -> Bool? in
      if case .resumed(_, let isSame) = event.event { isSame } else { nil }
    }
    #expect(resumed.last == isSame, "\(network.story)")
    #expect(network.isActive, "\(network.story)")
  }
}
