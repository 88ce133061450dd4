import CLibPQ
import Glibc
import Synchronization

/// One call of a server, on a thread of its own, so that whoever waits for it can be interrupted.
///
/// libpq looks up names, tries one server of the address after the other, and gives each its time only in the call that blocks; the calls
/// that do not block have no time limit, and stay with a server that accepts and says nothing. An attempt that is abandoned ends by
/// itself, and closes what it has opened.
final class ConnectAttempt: Sendable {
  private enum State {
    case calling
    /// The bits of libpq's handle, which a thread may give to another one; nil when there was no memory.
    case called(Int?)
    case abandoned
  }

  private let options: [(key: String, value: String)]
  private let state = Mutex(State.calling)
  /// Raised when the call has returned.
  private let ring = PostgresInterrupt()

  private init(_ options: [(key: String, value: String)]) { self.options = options }

  /// Connects.
  /// - Parameter interrupt: ends the wait; without one, or without descriptors for it, the call blocks.
  /// - Returns: libpq's handle, whatever its state; nil when there is no memory.
  static func call(
    _ options: [(key: String, value: String)], interrupt: PostgresInterrupt?
  ) throws(PostgresError) -> OpaquePointer? {
    let attempt = ConnectAttempt(options)
    guard let interrupt, interrupt.descriptor >= 0, attempt.ring.descriptor >= 0, attempt.begin() else {
      return attempt.connect()
    }
    var waits = [
      pollfd(fd: attempt.ring.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&waits, 2, -1) < 0, errno == EINTR {}
    return try attempt.take()
  }

  private func connect() -> OpaquePointer? {
    CStrings.with(options.map(\.key)) { keys in
      CStrings.with(options.map(\.value)) { values in PQconnectdbParams(keys, values, 1) }
    }
  }

  /// - Returns: whether there is a thread for it.
  private func begin() -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        let attempt = Unmanaged<ConnectAttempt>.fromOpaque(context).takeRetainedValue()
        attempt.finish(attempt.connect())
        return nil
      }, context.toOpaque())
    if code != 0 { context.release() }
    return code == 0
  }

  private func finish(_ handle: OpaquePointer?) {
    let bits = handle.map { Int(bitPattern: $0) }
    let isWanted = state.withLock { state in
      guard case .calling = state else { return false }
      state = .called(bits)
      return true
    }
    guard isWanted else { return PQfinish(handle) }
    ring.raise()
  }

  private func take() throws(PostgresError) -> OpaquePointer? {
    let called: Int?? = state.withLock { state in
      defer { state = .abandoned }
      guard case .called(let bits) = state else { return nil }
      return .some(bits)
    }
    guard let called else {
      throw PostgresError(words: "nobody waits for its answer any more", state: nil)
    }
    return called.flatMap { OpaquePointer(bitPattern: $0) }
  }
}
