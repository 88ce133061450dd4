import CastReceiverSim
import Glibc

/// Controls the receivers from standard input.
struct ControlLines: Sendable {
  let fleet: SimFleet

  /// Reads until the end of the input, on a thread of its own: reading blocks.
  func start() {
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    let fleet = fleet
    Task {
      for await line in lines { await Self.follow(line, fleet) }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(input))
    let failed = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let input = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().input
        while let line = readLine() { input.yield(line) }
        input.finish()
        return nil
      }, box.toOpaque())
    if failed == 0 { pthread_detach(thread) } else { box.release() }
  }

  private final class Box: Sendable {
    let input: AsyncStream<String>.Continuation
    init(_ input: AsyncStream<String>.Continuation) { self.input = input }
  }

  private static func follow(_ line: String, _ fleet: SimFleet) async {
    if line.isEmpty { return }
    print(await fleet.answer(line))
    fflush(nil)
  }
}
