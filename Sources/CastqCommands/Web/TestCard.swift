import CastqCore
import CastqDocuments
import CastqFiles
import CastqOperations
import Glibc

/// The test film as a file, which castq serves to devices as any other one.
enum TestCard {
  /// Writes the file beside the database unless it is there.
  /// - Returns: its path.
  static func file(_ global: CallOptions) throws(Failure) -> String {
    let database = global.databasePath
    let folder = database.lastIndex(of: "/").map { database[...$0] } ?? ""
    let path = "\(folder)castq-test-card.mp4"
    let bytes = WebCommand.page?.testCard ?? []
    // A link to another file of this size is not it.
    if let file = try? OwnFile.open(path, for: .reading) {
      defer { close(file) }
      var facts = stat()
      if fstat(file, &facts) == 0, Int(facts.st_size) == bytes.count { return path }
    }
    do throws(OwnFileError) { try OwnFile.replace(path, with: bytes, mode: 0o644) } catch {
      throw failure(path)
    }
    return path
  }

  private static func failure(_ path: String) -> Failure {
    Failure(
      "io", "the test film cannot be written to \(path); make room, or let castq write there",
      exit: .inputOutput)
  }
}
