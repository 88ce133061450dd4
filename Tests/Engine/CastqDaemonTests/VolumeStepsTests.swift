import CastqDaemon
import Synchronization
import Testing

@Suite("Steps of the volume")
struct VolumeStepsTests {
  private final class Submissions: Sendable {
    let levels = Mutex<[Double]>([])
  }

  private let steps = VolumeSteps()

  @Test("steps that are made at once are submitted in their order, and the last has all in it")
  func order() async {
    let submitted = Submissions()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask { [steps] in
          steps.begin { goal in
            // Long enough that another one is tried in between.
            let level = (0..<2000).reduce((goal ?? 0) + 1) { level, _ in level }
            submitted.levels.withLock { $0.append(level) }
            return (level, ())
          }
        }
      }
    }
    #expect(submitted.levels.withLock(\.self) == (1...200).map(Double.init))
  }

  @Test("after the last answer, a step goes on from where the device is")
  func origin() {
    let goals = (1...2).map { _ in steps.begin { (0.5, $0) } }
    #expect(goals == [nil, 0.5])
    steps.end()
    #expect(steps.begin { (0.6, $0) } == 0.5)
    steps.end()
    steps.end()
    #expect(steps.begin { (0.7, $0) } == nil)
  }
}
