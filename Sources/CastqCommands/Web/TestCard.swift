import CastProtocol
import CastqCore
import CastqDocuments
import Glibc

/// The test film as a file, which castq serves to devices as any other one.
enum TestCard {
  /// Writes the file beside the database unless it is there.
  /// - Returns: its path.
  static func file(_ global: GlobalOptions) throws(ControlFailure) -> String {
    let database = global.databasePath
    let folder = database.lastIndex(of: "/").map { database[...$0] } ?? ""
    let path = "\(folder)castq-test-card.mp4"
    let bytes = WebCommand.page?.testCard ?? []
    var facts = stat()
    if stat(path, &facts) == 0, Int(facts.st_size) == bytes.count { return path }
    // Under another name first, so that nobody reads half of it.
    let draft = "\(path).\(getpid())"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure(path) }
    let written = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
    guard written == bytes.count, rename(draft, path) == 0 else {
      unlink(draft)
      throw failure(path)
    }
    return path
  }

  private static func failure(_ path: String) -> ControlFailure {
    ControlFailure(
      "io", "the test film cannot be written to \(path); make room, or let castq write there",
      exit: .inputOutput)
  }
}
