import Glibc

/// The two files that the doctor serves, in a folder of their own until `remove`: a second of silence, and a subtitle.
struct DoctorFiles: Sendable {
  let sound: String
  let subtitles: String
  private let folder: String

  /// The text of the subtitle.
  static let cue = "castq doctor"

  /// Why the files could not be written.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(in parent: String) throws(Failure) {
    var template = Array("\(parent)/castq-doctor.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw Failure(description: "no folder can be made in \(parent): \(String(cString: strerror(errno)))")
    }
    // The access log names files without symbolic links.
    let real = realpath(made, nil)
    defer { free(real) }
    folder = String(cString: real ?? made)
    (sound, subtitles) = ("\(folder)/castq-doctor.wav", "\(folder)/castq-doctor.srt")
    do {
      try Self.write(Self.silence, to: sound)
      try Self.write(Array("1\r\n00:00:00,000 --> 00:00:10,000\r\n\(Self.cue)\r\n".utf8), to: subtitles)
    } catch {
      remove()
      throw error
    }
  }

  func remove() {
    unlink(sound)
    unlink(subtitles)
    rmdir(folder)
  }

  /// A WAV file: one second, one channel of 16 bits, 8,000 samples a second, all of them 0.
  static var silence: [UInt8] {
    func number(_ value: Int, bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let samples = [UInt8](repeating: 0, count: 16_000)
    let format = number(1, bytes: 2) + number(1, bytes: 2) + number(8000, bytes: 4) + number(16_000, bytes: 4)
    return Array("RIFF".utf8) + number(36 + samples.count, bytes: 4) + Array("WAVEfmt ".utf8)
      + number(16, bytes: 4) + format + number(2, bytes: 2) + number(16, bytes: 2) + Array("data".utf8)
      + number(samples.count, bytes: 4) + samples
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count, close(descriptor) == 0
    else {
      throw Failure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
  }
}
