import Glibc

/// A blocking HTTP client that sends exactly what a test tells it to.
final class RawClient {
  struct Response: Equatable {
    var status: Int
    /// Lower-case names.
    var headers: [String: String]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  struct Failure: Error { var what: String }

  private let handle: CInt
  private var buffer: [UInt8] = []
  private var isOpen = true

  /// - Parameters:
  ///   - source: local address, to come from another "device".
  ///   - receiveBuffer: bytes the system keeps for this client; 0 for its default.
  init(port: Int, source: String = "127.0.0.1", receiveBuffer: CInt = 0) throws {
    handle = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    if receiveBuffer > 0 { set(SOL_SOCKET, SO_RCVBUF, receiveBuffer) }
    // A server that does not answer shall fail a test, not hang it.
    set(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: 120, tv_usec: 0))
    try with(source, port: 0) { if bind(handle, $0, $1) != 0 { throw Failure(what: "bind") } }
    try with("127.0.0.1", port: port) { if connect(handle, $0, $1) != 0 { throw Failure(what: "connect") } }
  }

  deinit { close() }

  func close() {
    guard isOpen else { return }
    isOpen = false
    Glibc.close(handle)
  }

  /// Ends the connection with a reset, as a device does that seeks.
  func reset() {
    set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    close()
  }

  func finishSending() { shutdown(handle, CInt(SHUT_WR)) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(handle, $0.baseAddress.map { $0 + sent }, bytes.count - sent, CInt(MSG_NOSIGNAL))
      }
      // A server that hangs up early is seen when reading.
      guard count > 0 else { return }
      sent += count
    }
  }

  func request(_ method: String, _ target: String, _ headers: [String] = []) {
    send(
      "\(method) \(target) HTTP/1.1\r\n" + (["Host: castq"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
  }

  /// One answer. `hasBody` false for HEAD, where the length is that of a body which does not come.
  func response(hasBody: Bool = true) throws -> Response {
    var end = 0
    while true {
      if let found = buffer.indices.first(where: { buffer[$0...].starts(with: "\r\n\r\n".utf8) }) {
        end = found
        break
      }
      guard try fill() else { throw Failure(what: "closed before an answer") }
    }
    let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
    buffer.removeFirst(end + 4)
    var response = Response(status: 0, headers: [:], body: [])
    response.status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      response.headers[line[..<colon].lowercased()] = String(value)
    }
    if hasBody, let length = response.headers["content-length"].flatMap({ Int($0) }) {
      response.body = try body(length)
    }
    return response
  }

  /// The body of an answer whose header was read without it.
  func body(_ length: Int) throws -> [UInt8] {
    while buffer.count < length {
      guard try fill() else { throw Failure(what: "closed within a body") }
    }
    let body = Array(buffer.prefix(length))
    buffer.removeFirst(length)
    return body
  }

  func get(_ target: String, _ headers: [String] = []) throws -> Response {
    request("GET", target, headers)
    return try response()
  }

  /// Reads and forgets until the other end closes; bytes that came, header included.
  func drain() -> Int {
    var total = buffer.count
    var chunk = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count = recv(handle, &chunk, chunk.count, 0)
      guard count > 0 else { return total }
      total += count
    }
  }

  /// Waits for the other end to close; false when it sends something instead.
  func isClosedByPeer() throws -> Bool {
    guard buffer.isEmpty else { return false }
    return try !fill()
  }

  private func fill() throws -> Bool {
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    let count = recv(handle, &chunk, chunk.count, 0)
    if count < 0, errno == EAGAIN { throw Failure(what: "no answer in time") }
    guard count > 0 else { return false }
    buffer += chunk[..<count]
    return true
  }

  private func set<T>(_ level: CInt, _ option: CInt, _ value: T) {
    withUnsafePointer(to: value) {
      _ = setsockopt(handle, level, option, $0, socklen_t(MemoryLayout<T>.size))
    }
  }

  private func with(
    _ host: String, port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void
  ) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    try withUnsafePointer(to: address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
