import CLibPQ
package import CastProtocol
import Glibc

/// A connection to a PostgreSQL server. Every call blocks its thread until the server has answered, until the way to it is known to
/// be broken, 20 seconds without an acknowledgement, until the limit is over, or until it is interrupted: a server that stands still
/// acknowledges everything.
package final class PostgresConnection {
  private let handle: OpaquePointer
  private let patience: Patience?
  private let interrupt: PostgresInterrupt?
  /// A statement was left without its answer: the next one would get it.
  private var isAbandoned = false

  /// How long an answer may take, and by whose clock.
  package struct Patience: Sendable {
    fileprivate let limit: Duration
    fileprivate let now: @Sendable () -> Tick

    /// - Parameter limit: whole seconds, at least two.
    package init(_ limit: Duration, by now: @escaping @Sendable () -> Tick) {
      (self.limit, self.now) = (limit, now)
    }
  }

  /// Connects.
  /// - Parameters:
  ///   - address: what it sets wins over the time limits here.
  ///   - name: what the server's list of connections calls this one.
  ///   - patience: how long each answer may take; nil is without end, for what a person waits for.
  ///   - interrupt: ends a wait; nil is never.
  package init(
    _ address: CentreAddress, name: String, patience: Patience? = nil, interrupt: PostgresInterrupt? = nil
  ) throws(PostgresError) {
    self.patience = patience
    self.interrupt = interrupt
    // An address may name several servers, each of which has this time: only a call that blocks goes from one to the next.
    let seconds = min(patience?.limit.components.seconds ?? 10, 10)
    let options = [
      ("application_name", name), ("client_encoding", "UTF8"), ("connect_timeout", "\(seconds)"),
      ("keepalives", "1"),
      ("keepalives_idle", "15"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "20000"),
    ]
    let defaults = address.defaults.map { ($0.key, $0.value) }
    let all = options + defaults + [("dbname", address.text)]
    guard let handle = try ConnectAttempt.call(all, interrupt: interrupt) else {
      throw PostgresError(words: "out of memory", state: nil)
    }
    guard PQstatus(handle) == CONNECTION_OK else {
      defer { PQfinish(handle) }
      throw PostgresError(
        connecting: ConnectionFiles.explained(Self.line(PQerrorMessage(handle)), of: handle),
        names: [PQuser(handle), PQdb(handle)].compactMap { $0.map { String(cString: $0) } },
        wantsPassword: PQconnectionNeedsPassword(handle) == 1)
    }
    // Notices are for people at a prompt.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    self.handle = handle
    PQsetnonblocking(handle, 1)
  }

  deinit { PQfinish(handle) }

  /// Whether the connection can still be used.
  package var isOpen: Bool { !isAbandoned && PQstatus(handle) == CONNECTION_OK }

  /// Runs one statement, which is a transaction of its own unless one is open.
  /// - Parameter parameters: the values of `$1` and so on, as text; nil is NULL.
  /// - Returns: the rows, each value as text.
  @discardableResult
  package func run(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> [[String?]] {
    let isSent = CStrings.with(parameters) { values in
      !isAbandoned && PQsendQueryParams(handle, sql, Int32(parameters.count), nil, values, nil, nil, 0) == 1
    }
    return try rows(try answer(isSent))
  }

  /// Runs several statements as one transaction, without parameters.
  package func runAll(_ sql: String) throws(PostgresError) {
    _ = try rows(try answer(!isAbandoned && PQsendQuery(handle, sql) == 1))
  }

  /// What the server keeps of a password: it never has the password itself.
  func verifier(of password: String, for role: String) throws(PostgresError) -> String {
    guard let text = PQencryptPasswordConn(handle, password, role, "scram-sha-256") else {
      throw PostgresError(words: Self.line(PQerrorMessage(handle)), state: nil)
    }
    defer { PQfreemem(text) }
    return String(cString: text)
  }

  /// The last result of what was sent.
  private func answer(_ isSent: Bool) throws(PostgresError) -> OpaquePointer? {
    let end = patience.map { $0.now() + $0.limit }
    var last: OpaquePointer?
    guard isSent else { return nil }
    while true {
      let rest = PQflush(handle)
      while rest == 0, PQisBusy(handle) == 0 {
        guard let next = PQgetResult(handle) else { return last }
        PQclear(last)
        last = next
      }
      let wants = Int16(POLLIN) | (rest == 1 ? Int16(POLLOUT) : 0)
      do throws(PostgresError) {
        guard rest >= 0, try wait(for: wants, until: end), PQconsumeInput(handle) == 1
        else {
          PQclear(last)
          return nil
        }
      } catch {
        // The next statement would get this one's answer.
        PQclear(last)
        isAbandoned = true
        throw error
      }
    }
  }

  /// Waits until the server has read or said something.
  /// - Returns: whether it is there.
  private func wait(for events: Int16, until end: Tick?) throws(PostgresError) -> Bool {
    let socket = PQsocket(handle)
    guard socket >= 0 else { return false }
    // A negative descriptor is left out.
    var waits = [
      pollfd(fd: socket, events: events, revents: 0),
      pollfd(fd: interrupt?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let rest = patience.flatMap { patience in end.map { max($0 - patience.now(), .zero) } }
    let milliseconds = rest.map { Int32(clamping: $0.components.seconds * 1000 + 1000) } ?? -1
    let count = poll(&waits, 2, milliseconds)
    guard waits[1].revents == 0 else {
      throw PostgresError(words: "nobody waits for its answer any more", state: nil)
    }
    guard count != 0 else { throw PostgresError(words: "it has not answered in time", state: nil) }
    return count > 0 || errno == EINTR
  }

  private func rows(_ result: OpaquePointer?) throws(PostgresError) -> [[String?]] {
    guard let result else { throw PostgresError(words: Self.line(PQerrorMessage(handle)), state: nil) }
    defer { PQclear(result) }
    let status = PQresultStatus(result)
    guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY].contains(status) else {
      // The value, which a detail may quote, stays out of messages.
      let primary = PQresultErrorField(result, Int32(UInt8(ascii: "M")))
      let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
      throw PostgresError(
        words: Self.line(primary.map { UnsafePointer($0) } ?? UnsafePointer(PQerrorMessage(handle))),
        state: isOpen ? state : nil)
    }
    let columns = PQnfields(result)
    return (0..<PQntuples(result)).map { row in
      (0..<columns).map { column in
        PQgetisnull(result, row, column) == 1
          ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
      }
    }
  }

  private static func line(_ words: UnsafePointer<CChar>?) -> String {
    let text = words.map { String(cString: $0) } ?? ""
    let lines = text.split(whereSeparator: \.isNewline).map { line in
      String(line.drop { $0 == " " || $0 == "\t" })
    }
    return lines.isEmpty ? "no reason given" : lines.joined(separator: "; ")
  }
}
