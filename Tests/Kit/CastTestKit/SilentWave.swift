import CastProtocol
import Foundation
import Glibc

/// WAV files of silence for tests: a header and a hole, 8,000 bytes a second.
package enum SilentWave {
  private static let rate: UInt32 = 8000

  /// Writes a file.
  /// - Parameter seconds: its length, up to six days.
  /// - Throws: when it cannot be written.
  package static func write(to path: String, seconds: Double) throws {
    let samples = Int(bounded: min(max(seconds, 0), 500_000) * Double(rate))
    let length = UInt32(samples)
    func number(_ value: UInt32, bytes count: UInt32 = 4) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let format = number(1, bytes: 2) + number(1, bytes: 2) + number(rate) + number(rate) + number(1, bytes: 2)
    var bytes = Array("RIFF".utf8) + number(36 + length) + Array("WAVEfmt ".utf8) + number(16) + format
    bytes += number(8, bytes: 2) + Array("data".utf8) + number(length)
    try Data(bytes).write(to: URL(filePath: path))
    guard truncate(path, off_t(bytes.count) + off_t(length)) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
