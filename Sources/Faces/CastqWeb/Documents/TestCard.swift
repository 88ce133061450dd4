import CastqFiles
import CastqOperations
import CastqText
import Glibc

/// A film for those who have nothing to play yet.
///
/// It was made of Tests/Foreign/Web/cover.png: 30 s at five frames a second, in which a square crosses the lower edge.
/// `ffmpeg -loop 1 -framerate 5 -i cover.png -f lavfi -i color=white:s=24x24:r=5 -filter_complex
/// "[0][1]overlay=x='mod(t*42.6667,1280)':y=690,format=yuv420p" -t 30 -c:v libx264 -profile:v main -preset veryslow -crf 32 -g 150
/// -movflags +faststart test-card.mp4`, with `-bitexact`, as Tests/Foreign/README.md has it.
enum TestCard {
  /// What stands for it among the sources of a request.
  static let source = "castq:test-card"

  /// Writes the film beside the database unless it is there, so that castq serves it to devices as any other file.
  /// - Returns: its path.
  static func file(_ global: CallOptions) throws(Failure) -> String {
    let database = global.databasePath
    let folder = database.lastIndex(of: "/").map { database[...$0] } ?? ""
    let path = "\(folder)castq-test-card.mp4"
    let bytes = OperatorPage.testCard
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
