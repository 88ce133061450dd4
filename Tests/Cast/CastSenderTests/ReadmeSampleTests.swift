import CastSender
import Foundation
import Testing

// the page's sample, from here
/// Plays a film in place of whatever is on the screen, returns when its first frame is there, and leaves it playing.
func show(_ address: String, on device: Device) async throws(CastError) -> MediaStatus {
  let session = Session(device: device)
  try await session.start()
  do {
    let film = MediaInformation(contentID: address, contentType: "video/mp4")
    let status = try await session.remoteMediaClient.load(film).value
    await session.leave()
    return status
  } catch {
    await session.leave()
    throw error
  }
}
// to here

extension SenderTests {
  /// What newcomers paste must work.
  @Suite(.timeLimit(.minutes(5))) struct ReadmeSampleTests {
    @Test("the sample in docs/sdk.md is the code above, and it plays")
    func sample() async throws {
      let device = try await SimulatedDevice.start()
      let status = try await show(device.media("a").url, on: device.device)
      #expect(status.mediaInformation?.url == device.media("a").url)
      await #expect(throws: CastError(.mediaLoadFailed, "")) {
        try await show(device.media("nope").url, on: device.device)
      }
      try await device.stop()

      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
      let page = try String(contentsOf: root.appending(path: "docs/sdk.md"), encoding: .utf8)
      let start = try #require(source.range(of: "// the page's sample, from here\n"))
      let end = try #require(source.range(of: "// to here\n"))
      #expect(page.contains(source[start.upperBound..<end.lowerBound]))
    }
  }
}
