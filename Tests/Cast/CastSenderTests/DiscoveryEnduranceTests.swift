import CastReceiverSim
import CastSender
import Foundation
import Glibc
import Testing

/// What looking leaves behind.
@Suite(.timeLimit(.minutes(5))) struct DiscoveryEnduranceTests {
  /// In a process of its own, where nobody else's memory and descriptors are counted.
  @Test("looking again and again leaves no descriptor, and takes no memory")
  func leavesNothing() async {
    await #expect(processExitsWith: .success) {
      Self.forgetBacktraces()
      let device = try await SenderTests.DiscoveryTests.announced("Patient", seed: 43, port: Self.port)
      let manager = Self.manager()
      let id = device.server.configuration.uuid
      #expect(await manager.findDevice(withUniqueID: id, timeout: .seconds(1000)) != nil)
      // What grows to a bound has grown to it by then.
      for _ in 0..<max(Self.times / 2, 1000) { await Self.cycle(manager) }
      let before = try await Self.held(manager)
      for _ in 0..<Self.times { await Self.cycle(manager) }
      let after = try await Self.held(manager)
      #expect(after.descriptors == before.descriptors)
      // The smallest object of all takes 32 bytes: one that stays for each of ten thousand times would be 320 kB.
      #expect(after.bytes - before.bytes < 200_000, "\(before.bytes), \(after.bytes)")
      try await device.stop()
    }
  }

  private static let port = 25_354

  /// Enough to find a descriptor or what a manager holds; `make endurance` makes ten thousand, which finds any object.
  private static let times = ProcessInfo.processInfo.environment["CASTQ_CYCLES"].flatMap { Int($0) } ?? 1000

  /// What stays, which is the least that was seen for a while: answers and sleeps that are under way come and go, and on a busy
  /// computer many of them.
  private static func held(_ manager: DiscoveryManager) async throws -> (descriptors: Int, bytes: Int) {
    var least = (descriptors: Int.max, bytes: Int.max)
    for _ in 0..<30 {
      await cycle(manager)
      least.descriptors = min(least.descriptors, try descriptors())
      least.bytes = min(least.bytes, try HeapUse.now().bytes)
    }
    return least
  }

  /// The runtime keeps a cancelled sleep until the moment when it would have ended: five seconds are a tenth of one here, so
  /// that how many are kept does not depend on how fast this computer is.
  private static func manager() -> DiscoveryManager {
    var options = DiscoveryOptions(interfaces: ["127.0.0.1"])
    options.port = port
    return DiscoveryManager(options: options, time: .continuous.hurried(by: 50))
  }

  /// For each error that is thrown, and each cancelled sleep throws one, the test library keeps a backtrace until the test ends.
  /// The runtime calls the library through these variables.
  private static func forgetBacktraces() {
    for name in ["_swift_willThrow", "_swift_willThrowTypedImpl"] {
      dlsym(nil, name)?.storeBytes(of: nil, as: UnsafeRawPointer?.self)
    }
  }

  private static func cycle(_ manager: DiscoveryManager) async {
    manager.startDiscovery()
    await manager.stopDiscovery()
  }

  private static func descriptors() throws -> Int {
    var count = 0
    guard let folder = opendir("/proc/self/fd") else { throw CastError(.invalidState, "no /proc") }
    defer { closedir(folder) }
    while readdir(folder) != nil { count += 1 }
    return count
  }
}
