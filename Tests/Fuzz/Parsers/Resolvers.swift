import CastProtocol
import CastqPlaylists
import CastqText

extension Parser {
  /// As a document by the contract, as one of yt-dlp, and as a pattern.
  func parseResolvers(_ bytes: [UInt8]) {
    let now = WallTime(milliseconds: 1_800_000_000_000)
    do throws(LinkFailure) { check(try ResolverAnswer.read(bytes, of: "find", at: now)) } catch {
      precondition(!error.words.isEmpty)
    }
    do throws(LinkFailure) { check(try YtDlpAnswer.read(bytes, of: "yt-dlp", at: now)) } catch {
      precondition(!error.words.isEmpty)
    }
    if let pattern = try? AddressPattern(String(decoding: bytes.prefix(500), as: UTF8.self)),
      let address = try? WebAddress("https://www.example.org:8443/a/b?c")
    {
      _ = pattern.matches(address)
    }
  }

  /// What is taken can be fetched, and fits a message.
  private func check(_ link: ResolvedLink) {
    precondition((try? WebAddress(link.url)) != nil && link.url.utf8.count <= ResolvedLink.longestAddress)
    precondition(link.lifetime.map { $0 > .zero } ?? true)
    precondition(link.duration.map { $0 >= .zero } ?? true)
    precondition((link.title?.unicodeScalars.count ?? 0) <= ResolvedLink.longestTitle)
  }
}
