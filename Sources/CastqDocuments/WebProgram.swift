package import CastqCore
package import Logging

/// The program that has the page's server.
package protocol WebProgram: Sendable {
  /// A film that shows that a screen works, an MP4 of 1280 × 720 without sound.
  var testCard: [UInt8] { get }

  /// Serves until the task is cancelled.
  /// - Parameter ready: called with the port once connections are accepted.
  /// - Throws: `configuration` when certificate files cannot be used, or nobody could log in; `listen` when the address cannot
  ///   be used.
  func serve(
    _ settings: WebSettings, documents: any WebDocuments, logger: Logger,
    ready: @escaping @Sendable (Int) async -> Void
  ) async throws(Failure)
}

/// A film for those who have nothing to play yet.
///
/// It was made of Tests/Foreign/Web/cover.png: 30 s at five frames a second, in which a square crosses the lower edge.
/// `ffmpeg -loop 1 -framerate 5 -i cover.png -f lavfi -i color=white:s=24x24:r=5 -filter_complex
/// "[0][1]overlay=x='mod(t*42.6667,1280)':y=690,format=yuv420p" -t 30 -c:v libx264 -profile:v main -preset veryslow -crf 32 -g 150
/// -movflags +faststart test-card.mp4`, with `-bitexact`, as Tests/Foreign/README.md has it.
package enum WebTestCard {
  /// What stands for it among the sources of a request.
  package static let source = "castq:test-card"
}
