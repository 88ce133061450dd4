import CastReceiverSim
import CastqDaemon
import CastqFeeding
import CastqPlaylists
import CastqStore
import Foundation
import Testing

extension DaemonTests {
  /// What must not grow, looked at in a process that does nothing else.
  @Suite struct EnduranceTests {
    @Test("200 plays of a loop leave memory and descriptors as they were")
    func loops() async throws {
      await #expect(processExitsWith: .success) {
        let stage = try await Stage(speed: 200)
        try stage.enqueue(
          (1...5).map { Stage.draft(Stage.sample("promos/chime.wav"), title: "\($0)", type: "audio/wav") })
        try stage.queue.setRepeat(.all, for: stage.device.id)
        let running = try stage.feed()
        var plays = 0
        var before = (descriptors: 0, kilobytes: 0)
        for await report in running.reports where report.startedTitle != nil {
          plays += 1
          if plays == 50 { before = try footprint() }
          if plays == 250 { break }
        }
        let after = try footprint()
        #expect(plays == 250)
        // The receiver's download of a medium comes and goes.
        #expect(abs(after.descriptors - before.descriptors) <= 4, "\(before) \(after)")
        #expect(after.kilobytes - before.kilobytes < 8 * 1024, "\(before) \(after)")
        #expect(await running.stop().outcome.isStopped)
        #expect(try stage.plays().count { $0.outcome == .finished } >= 245)
        await stage.server.stop()
      }
    }

    @Test("run after run, stopped or drained, leaves no descriptor")
    func runsAgain() async throws {
      await #expect(processExitsWith: .success) {
        let stage = try await Stage(speed: 100)
        let chime = Stage.draft(Stage.sample("promos/chime.wav"), title: "chime", type: "audio/wav")
        var descriptors: [Int] = []
        for round in 0..<24 {
          try stage.enqueue([chime])
          let running = try stage.feed()
          if round % 2 == 0 {
            #expect(await running.outcome().drainedFailures == 0)
          } else {
            #expect(await running.next { $0.isConnecting } != nil)
            #expect(await running.stop().outcome.isStopped)
          }
          descriptors.append(try footprint().descriptors)
        }
        // Some of the last runs are still being closed.
        #expect(descriptors[22] <= descriptors[0] + 8, "\(descriptors)")
        await stage.server.stop()
      }
    }
  }
}

/// What this process holds.
func footprint() throws -> (descriptors: Int, kilobytes: Int) {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
  let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return (try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count, kilobytes)
}
