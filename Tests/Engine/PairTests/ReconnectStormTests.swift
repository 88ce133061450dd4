import CastProtocol
import CastReceiverSim
import Foundation
import Testing

/// Chance tries what nobody thought of.
struct ReconnectStormTests {
  /// The longest a session may take once the device answers: the longest wait with its jitter, an attempt that was begun before
  /// and fails by its time-out, and what silence takes to be noticed, plus a launch.
  private static let bound = Duration.seconds(45 + 10 + 15 + 3)

  @Test(
    "any sequence of drops, reboots, moves and silence ends in an active session, which a takeover ends at once",
    arguments: 0..<50)
  func survivesStorms(_ block: Int) {
    for seed in (block * Self.size)..<(block * Self.size + Self.size) { storm(UInt64(seed)) }
  }

  /// Storms of one block of fifty; `make endurance` makes twenty.
  private static let size = max(
    (ProcessInfo.processInfo.environment["CASTQ_STORMS"].flatMap { Int($0) } ?? 200) / 50, 1)

  private func storm(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var network = RoughNetwork(seed: seed + 1)
    network.run(until: network.now + .seconds(30)) { $0.isActive }
    var tokens: [RequestToken] = []
    var back = network.now
    for _ in 0..<Int.random(in: 3...12, using: &random) {
      network.run(for: .milliseconds(Int.random(in: 0...40_000, using: &random)))
      tokens.append(network.request(.receiver(.getStatus)))
      tokens.append(network.request(.media(.getStatus(), customData: nil)))
      let time = Duration.milliseconds(Int.random(in: 0...60_000, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: network.reset()
      case 1: network.silence(for: time)
      case 2: network.reboot(for: time)
      case 3: network.move()
      case 4: network.breakHandshakes(for: time)
      default: network.hangUp()
      }
      back = max(back, network.now + time)
    }
    let limit = back + Self.bound
    // It may look active until silence is noticed: what counts is how it stands when everything has been noticed.
    network.run(until: back + .seconds(16)) { _ in false }
    let isBack = network.run(until: limit) { $0.isActive }
    #expect(isBack, "seed \(seed): \(network.story)")
    network.run(for: .seconds(60))
    if seed.isMultiple(of: 3), network.isActive {
      ReconnectTests.strike(&network, .takenOver)
      network.run(for: .seconds(5))
      #expect(network.end == CastError(.applicationReplaced, ""), "seed \(seed): \(network.story)")
    } else {
      network.tell(.end(.leave))
    }
    for token in tokens { #expect(network.completions[token]?.count == 1, "seed \(seed), request \(token)") }
    #expect(network.leftovers == "[] ", "seed \(seed)")
    ReconnectTests.checkOrder(network)
  }
}
