import CastqDaemon
package import CastqSchedule
package import CastqText
import Glibc

/// A file with a whole schedule: `site.yaml`.
package struct SiteFile {
  private let path: String

  /// - Parameter path: `-` is standard input.
  package init(_ path: String) { self.path = path }

  /// Throws if a file that was to be something else is a schedule; files that cannot be read are for the command to report.
  package static func refuse(_ path: String) throws(Failure) {
    guard [".yaml", ".yml"].contains(where: path.hasSuffix) else { return }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard let bytes = ConfigurationFile.bytes(of: descriptor, limit: SiteReader.longest) else { return }
    let keys = Set(
      bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
        line.firstIndex(of: UInt8(ascii: ":")).map { String(decoding: line[..<$0], as: UTF8.self) }
      })
    guard !keys.contains("entries"), !keys.isDisjoint(with: ["rules", "shares", "programmes", "dayparts"])
    else {
      return
    }
    throw Failure("schedule", "\(path) is a schedule", hint: .applySchedule(path), exit: .badData)
  }

  /// The schedule, or every mistake in it with its place.
  package func read(_ names: SiteNames) throws(Failure) -> Result<SiteDocument, ConfigurationError> {
    let bytes = try bytes()
    let folder = path == "-" ? nil : FilePath.directory(of: path)
    let working = FileLoader().workingDirectory
    let zones = Zone.database
    return SiteReader.read(
      bytes, file: path, folder: folder.map { FilePath.absolute($0, in: working) } ?? working, known: names,
      zone: { (try? zones.rules(of: $0)) != nil })
  }

  /// The schedule; the failure has every mistake in it with its place.
  package func document(_ names: SiteNames) throws(Failure) -> SiteDocument {
    try read(names).mapError { Failure("schedule", $0.description, exit: .badData) }.get()
  }

  private func bytes() throws(Failure) -> [UInt8] {
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable() }
    defer { close(descriptor) }
    guard let bytes = ConfigurationFile.bytes(of: descriptor, limit: SiteReader.longest) else {
      throw unreadable()
    }
    return bytes
  }

  private func unreadable() -> Failure {
    let words = String(cString: strerror(errno))
    return Failure("input_missing", "cannot read \(path): \(words)", exit: .inputMissing)
  }
}
