import CastSender
import Foundation
import Testing

extension SampleTests {
  @Suite struct Images {
    @Test("the picture that fits is fetched once, and kept")
    func fetchesPoster() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "castq-images-\(UUID())")
      defer { _ = try? FileManager.default.removeItem(at: folder) }
      try await SampleDevice.run { stage in
        let images = [64, 640, 1920].map { width in
          Image(url: stage.address("picture-\(width)"), width: width, height: width * 9 / 16)
        }
        var film = stage.film("film")
        film.metadata?.images = images
        var status = MediaStatus(mediaSessionID: MediaSessionID(1))
        let server = try #require(
          DeviceEndpoint(String(stage.address("").dropFirst("http://".count).dropLast())))
        let cache = smallCache(in: folder.path, server: server)
        #expect(try await poster(of: status, from: cache) == nil)
        status.mediaInformation = film
        let picture = try #require(try await poster(of: status, from: cache))
        #expect(picture.mimeType == "image/png" && picture.size == PixelSize(width: 640, height: 360))
        #expect(try await poster(of: status, from: cache) == picture)
        status.mediaInformation?.metadata?.images = [Image(url: stage.address("nope"))]
        await #expect(throws: CastError(.invalidResponse, "")) { try await poster(of: status, from: cache) }
        let tall = Image(url: "http://h/tall", width: 100, height: 200)
        #expect(LandscapePicker().image(from: [tall] + images, hints: ImageHints()) == images[0])
        #expect(LandscapePicker().image(from: [tall], hints: ImageHints()) == nil)
      }
    }
  }
}
