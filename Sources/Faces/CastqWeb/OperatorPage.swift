import CWebAssets
package import CastqOperations
package import CastqText
package import Logging

/// The server of the page and its API, for the program that has it.
package struct OperatorPage: WebProgram {
  package init() {}

  /// A film that shows that a screen works, an MP4 of 1280 × 720 without sound.
  static var testCard: [UInt8] {
    var index: UInt = 0
    while let asset = castq_web_asset_at(index)?.pointee {
      if String(cString: asset.name) == "test-card.mp4" {
        return Array(UnsafeBufferPointer(start: asset.bytes, count: Int(asset.length)))
      }
      index += 1
    }
    return []
  }

  package func serve(
    _ settings: WebSettings, _ call: CallOptions, logger: Logger,
    ready: @escaping @Sendable (Int) async -> Void
  ) async throws(Failure) {
    try await WebServer(settings, documents: WebDesk(call, settings), logger: logger).run(ready: ready)
  }
}
