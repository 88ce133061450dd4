import CastTLS
import NIOCore
import NIOPosix
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConnectionAttemptTests {
  @Test("a cancelled attempt waits for no resolver, whenever it was cancelled", arguments: [true, false])
  func cancelled(isEarly: Bool) async throws {
    let connection = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: (any Channel).self)
    let attempt = ConnectionAttempt<Int>()
    if isEarly { attempt.cancel() }
    let wait = Task { try await attempt.wait(for: connection.futureResult) }
    if !isEarly { attempt.cancel() }
    await #expect(throws: CancellationError.self) { try await wait.value }
    #expect(attempt.isCancelled)
    connection.fail(ChannelError.ioOnClosedChannel)
    await attempt.end()
  }
}
