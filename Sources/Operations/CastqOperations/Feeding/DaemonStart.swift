import CastSender
import CastqDaemon
import CastqFeeding
import CastqPlaylists
package import CastqStore
package import CastqText

/// Starts `castq daemon` for people who press a button: one, however often and by however many it is pressed.
///
/// The daemon's lock decides which one it is; whoever asks hears the same, whichever that is.
package actor DaemonStart {
  /// Whether a daemon answers.
  private let isThere: @Sendable () async -> Bool
  /// Starts one; what is returned waits until it has ended, and says why.
  private let launch: @Sendable () throws(Failure) -> @Sendable () async -> Failure
  private let pause: @Sendable () async -> Void
  private var present: Task<Result<Void, Failure>, Never>?

  package init(
    isThere: @escaping @Sendable () async -> Bool,
    launch: @escaping @Sendable () throws(Failure) -> @Sendable () async -> Failure,
    pause: @escaping @Sendable () async -> Void
  ) {
    (self.isThere, self.launch, self.pause) = (isThere, launch, pause)
  }

  /// Starts a program on a database.
  package init(_ program: DaemonProgram, of database: Database) {
    self.init(
      isThere: { await Self.answers(database) },
      launch: { () throws(Failure) in
        let started = try program.start()
        return { await started.ending() }
      },
      pause: { try? await TimeSource.continuous.sleep(.milliseconds(50)) })
  }

  /// Whether a daemon of the database answers. The number of a process that was killed may be another's now.
  private static func answers(_ database: Database) async -> Bool {
    guard let holder = DatabaseLock.holder(.daemon, of: database), holder.isAlive, let socket = holder.socket
    else { return false }
    let health = try? await ControlClient(socket: socket, device: DeviceID(0))
      .ask(.health, timeout: .seconds(10))
    return health ?? nil != nil
  }

  /// Returns when a daemon answers: the one that was there, or a new one.
  /// - Throws: why there is none.
  package func start() async throws(Failure) {
    // Whoever presses while it starts waits for the same.
    if let present { return try await present.value.get() }
    let task = Task<Result<Void, Failure>, Never> {
      do throws(Failure) { return .success(try await begin()) } catch { return .failure(error) }
    }
    present = task
    defer { present = nil }
    try await task.value.get()
  }

  /// Pauses until nobody waits any more: half a minute.
  private static let most = 600

  private func begin() async throws(Failure) {
    if await isThere() { return }
    let ending = try launch()
    let end = Ending()
    // It is waited for as long as it runs.
    Task { await end.note(await ending()) }
    for _ in 0..<Self.most {
      // Asked before whether one is there: what ends because another was quicker leaves that one behind.
      let failure = await end.failure
      if await isThere() { return }
      // Another holds the lock, and answers soon.
      if let failure, failure.exit != .tryAgain { throw Self.ended(failure) }
      await pause()
    }
    if let failure = await end.failure { throw Self.ended(failure) }
    throw Failure("timeout", "castq was started, and does not answer", exit: .timeout)
  }

  private static func ended(_ failure: Failure) -> Failure {
    var ended = failure
    ended.message = "castq ended at once: \(failure.message)"
    return ended
  }

  private actor Ending {
    private(set) var failure: Failure?

    func note(_ failure: Failure) { self.failure = failure }
  }
}
