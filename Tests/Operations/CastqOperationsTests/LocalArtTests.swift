import CastGuard
import CastqOperations
import CastqText
import Foundation
import Testing

/// Artwork in files of this computer.
@Suite("Artwork in a local file")
struct LocalArtTests {
  private let site: OperationsSite
  private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

  init() throws { site = try OperationsSite() }

  private func address(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = "\(site.folder)/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    return FilePath.url(path)
  }

  private func book() -> ArtBook { ArtBook(allowing: { _ in LocalPlaces() }) }

  @Test("a picture that the owner's words name is passed on, by its digest alone")
  func named() async throws {
    let (cover, other) = (try address("cover.png", Self.picture), try address("other.png", Self.picture))
    let book = book()
    book.keep(cover, named: .owner)
    let found = try await book.picture(WebArt.digest(of: cover))
    #expect(found.type == "image/png" && found.bytes == Self.picture)
    await #expect(throws: Failure.self) { try await book.picture(WebArt.digest(of: other)) }
  }

  @Test("what a list of the network or a receiver names on this computer is not read")
  func foreign() async throws {
    let cover = try address("cover.png", Self.picture)
    let book = book()
    book.keep(cover, named: .network(host: "media.example", address: nil))
    book.keep(cover, named: .receiver(host: nil))
    await #expect(throws: Failure.self) { try await book.picture(WebArt.digest(of: cover)) }
    book.keep(cover, named: .owner)
    #expect(try await book.picture(WebArt.digest(of: cover)).bytes == Self.picture)
  }

  @Test("what is no picture, no file or too large is nowhere, and a pipe holds nobody up")
  func others() async throws {
    let book = book()
    let pipe = "\(site.folder)/pipe.png"
    #expect(mkfifo(pipe, 0o600) == 0)
    let addresses = [
      try address("secret.txt", Array("password".utf8)), FilePath.url(pipe), FilePath.url(site.folder),
      FilePath.url("\(site.folder)/gone.png"),
      try address("huge.png", Self.picture + [UInt8](repeating: 0, count: 25 << 20)),
    ]
    for address in addresses {
      book.keep(address, named: .owner)
      await #expect(throws: Failure.self, "\(address)") { try await book.picture(WebArt.digest(of: address)) }
    }
  }
}
