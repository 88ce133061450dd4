package import CastqFeeding
import CastqPrograms
import NIOCore
import NIOPosix

/// What the runtime and the libraries open once and cannot do without: opened before guests can take the descriptors, because some of
/// them end the process that gets none.
package enum EarlyDescriptors {
  /// Makes the shared event loops, the runtime's timer, and what other programs are waited for with. Called before anything uses a
  /// loop, once: on a computer with many cores a small limit would not do for a loop for each.
  package static func make(for shares: GuestShares) async {
    let loops = max(shares.descriptors / 64, 1)
    if loops < System.coreCount { NIOSingletons.groupLoopCountSuggestion = loops }
    _ = MultiThreadedEventLoopGroup.singleton.any()
    try? await Task.sleep(for: .nanoseconds(1), clock: .continuous)
    try? await Task.sleep(for: .nanoseconds(1), clock: .suspending)
    _ = try? await ChildProgram(path: "/bin/true").run([], limits: ProgramLimits(time: .seconds(5)))
  }
}
