import Glibc
import Synchronization

/// Notifies a service manager of the service's state, by the datagrams of sd_notify(3). Does nothing without a manager.
package final class ServiceNotice: Sendable {
  /// The manager's socket; nil without a manager.
  private let socket: String?
  /// How often to notify the watchdog; nil without a watchdog.
  package let watchdogInterval: Duration?
  /// The status line that the manager has.
  private let shown = Mutex("")

  /// - Parameter environment: looks up a variable.
  package init(environment: (String) -> String?) {
    socket = environment("NOTIFY_SOCKET").flatMap { path in
      ["/", "@"].contains(path.prefix(1)) && path.utf8.count <= Self.longestPath ? path : nil
    }
    let isMeant = environment("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
    // Half of the manager's timeout, so that one late notification does no harm.
    watchdogInterval =
      isMeant
      ? environment("WATCHDOG_USEC").flatMap { Int64($0) }.flatMap { $0 > 1 ? .microseconds($0 / 2) : nil }
      : nil
  }

  /// Most bytes of a path that fits `sun_path` with its terminator.
  private static let longestPath = 107

  /// The service is ready, also after a reload.
  package func ready(_ status: String) {
    shown.withLock { $0 = status }
    send("READY=1\nSTATUS=\(status)")
  }

  /// The configuration is being reloaded, until `ready`.
  package func reloading() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
  }

  /// The service is stopping.
  package func stopping() { send("STOPPING=1") }

  /// The service is alive.
  package func alive() { send("WATCHDOG=1") }

  /// Sets the status line, if it is another one.
  package func status(_ words: String) {
    let isNew = shown.withLock { shown in
      defer { shown = words }
      return shown != words
    }
    if isNew { send("STATUS=\(words)") }
  }

  /// Sends without blocking; failures are ignored.
  private func send(_ text: String) {
    guard let path = socket else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    // An abstract socket name starts with a zero byte.
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + bytes.count } ?? 0
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let words = Array(text.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(
          descriptor, words, words.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0,
          socklen_t(length))
      }
    }
  }
}
