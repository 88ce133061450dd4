import CastqCore
import CastqDaemon
import CastqStore
import Glibc

/// A file with a whole schedule: `site.yaml`.
struct SiteFile {
  private let path: String

  /// - Parameter path: `-` is standard input.
  init(_ path: String) { self.path = path }

  /// The schedule. Every mistake is printed with its place; one or more end the command.
  func read(_ names: SiteNames, isJSON: Bool) throws -> SiteDocument {
    let bytes = try bytes()
    let folder = path == "-" ? nil : FilePath.directory(of: path)
    let working = FileLoader().workingDirectory
    let zones = Zone.database
    let result = SiteReader.read(
      bytes, file: path, folder: folder.map { FilePath.absolute($0, in: working) } ?? working, known: names,
      zone: { (try? zones.rules(of: $0)) != nil })
    switch result {
    case .success(let site): return site
    case .failure(let error):
      if isJSON { throw Failure("schedule", error.description, exit: .badData) }
      for issue in error.issues { Console.say("castq: \(issue.description)") }
      throw Silent(exit: .badData)
    }
  }

  /// What is right in a file, and will never count.
  func doubts(of document: SiteDocument, over store: ScheduleStore) throws(StoreError) -> [PlaylistIssue] {
    document.idleExceptions(dayparts: try store.dayparts(), calendars: try store.calendars())
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
