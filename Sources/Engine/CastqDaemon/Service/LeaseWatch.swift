import CSystemClock
package import CastqText
import Dispatch
import Glibc

/// The lease of a program that `castq-link standby` runs: when it ends, nothing may be fed any more.
///
/// It ends when its time is over, whether the other side is cut off, slow or stopped, and at once when the other side is gone.
package struct LeaseWatch: Sendable {
  /// Why a lease has ended.
  package enum End: Sendable, Hashable {
    /// It was not renewed.
    case expired
    /// The program that renewed it is gone.
    case abandoned

    /// What the program that ends for it says.
    var failure: Failure {
      let reason =
        switch self {
        case .expired: "'castq-link standby' has not renewed the lease"
        case .abandoned: "'castq-link standby' is gone"
        }
      return Failure(
        "lease_ended", "\(reason): another box may feed the site, and this one has stopped", exit: .tryAgain)
    }
  }

  private let descriptor: Int32
  /// Until when anything may be sent.
  package let term = LeaseTerm(.until(milliseconds: 0))

  /// The lease of this process; nil for one that nobody has leased anything.
  /// - Throws: for a variable that names none.
  package static func inherited() throws(Failure) -> LeaseWatch? {
    guard let text = getenv(LeaseLine.variable).map({ String(cString: $0) }), !text.isEmpty else {
      return nil
    }
    if let number = Int32(text), let watch = LeaseWatch(descriptor: number) { return watch }
    throw Failure(
      "usage",
      "\(LeaseLine.variable) is \(TerminalText.excerpt(text)): it is no lease; leave it to 'castq-link standby'",
      exit: .usage)
  }

  /// - Parameter descriptor: a socket that was inherited; programs that are started from here do not inherit it.
  /// - Returns: nil for what is none.
  package init?(descriptor: Int32) {
    var status = stat()
    guard descriptor > 2, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { return nil }
    self.descriptor = descriptor
    // What was written before this program began holds at once.
    _ = receive()
  }

  /// Waits for the end. Call once: the descriptor is closed then.
  package func end() async -> End {
    await withCheckedContinuation { done in
      // A thread of its own: it must end the feeding also when all others are busy.
      DispatchQueue(label: "castq.lease", qos: .userInteractive).async {
        let end = wait()
        term.follow(.until(milliseconds: 0))
        close(descriptor)
        done.resume(returning: end)
      }
    }
  }

  /// Waits for the end, or until the task is cancelled. Call once, and not beside `end`.
  /// - Returns: nil when the task was cancelled; the lease is followed on then.
  package func endUnlessCancelled() async -> End? {
    let ends = AsyncStream<End> { send in
      // Nothing cancels the wait itself: it is a thread that polls.
      Task.detached {
        send.yield(await end())
        send.finish()
      }
    }
    for await end in ends { return end }
    return nil
  }

  private func wait() -> End {
    let timer = castq_boot_timer()
    guard timer >= 0 else { return .expired }
    defer { close(timer) }
    while true {
      // All that was written counts before the clock does.
      guard receive() else { return .abandoned }
      guard let end = term.rest else { return .expired }
      castq_boot_timer_set(timer, end == .max ? -1 : end)
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
      ]
      // Setting the timer again, above, also has it wait again.
      _ = poll(&waits, 2, -1)
    }
  }

  /// Follows what has been written; what is no lease changes nothing.
  /// - Returns: whether the other side is there.
  private func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: LeaseLine.longest)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else {
        term.follow(.until(milliseconds: 0))
        return false
      }
      if let line = LeaseLine(String(decoding: bytes[..<count], as: UTF8.self)) { term.follow(line) }
    }
  }
}
