import Foundation

/// The lines that a simulated receiver takes at its socket (`--control`).
enum ReceiverControl {
  struct Refusal: Error {
    var words: String
  }

  /// Sends one line and waits until it is done.
  static func send(_ line: String, to path: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Refusal(words: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let connected = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else { throw Refusal(words: "\(path): \(String(cString: strerror(errno)))") }
    let bytes = Array("\(line)\n".utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Refusal(words: line) }
    var answer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &answer, answer.count)
    let words = String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
    guard words.hasPrefix("ok") else { throw Refusal(words: words) }
  }
}
