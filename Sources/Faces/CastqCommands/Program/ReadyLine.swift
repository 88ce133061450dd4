import Dispatch
import Glibc

/// The line by which a program that was started reports that it serves, with its address.
enum ReadyLine {
  /// Bytes of an address.
  private static let longest = 1024

  /// Waits for the line.
  /// - Returns: nil where the other end was closed without one.
  static func read(_ descriptor: Int32) async -> String? {
    await withCheckedContinuation { done in
      DispatchQueue(label: "castq.ready").async {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < longest {
          let count = Glibc.read(descriptor, &byte, 1)
          if count < 0, errno == EINTR { continue }
          guard count == 1, byte != UInt8(ascii: "\n") else { break }
          bytes.append(byte)
        }
        done.resume(returning: bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  /// Reports it on a descriptor that was inherited, and closes that.
  static func write(_ address: String, to descriptor: Int32) {
    let bytes = Array("\(address)\n".utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }
}
