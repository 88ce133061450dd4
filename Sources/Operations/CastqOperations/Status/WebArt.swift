import CastTLS

/// Artwork by a digest of its address, so that nobody has the server fetch another address.
package enum WebArt {
  /// Without it, a reader of the page could test passwords of an address against its digest. Each run of the program has its own,
  /// because a program answers only digests that it gave out.
  private static let secret = (0..<32).map { _ in UInt8.random(in: .min ... .max) }

  /// 32 hexadecimal digits. Each run of the program has other ones.
  package static func digest(of address: String) -> String {
    String(((try? SHA256.text(of: secret + Array(address.utf8))) ?? "").prefix(32))
  }
}
