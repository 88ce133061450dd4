import CastTLS

/// Artwork by a digest of its address, so that nobody has the server fetch another address.
package enum WebArt {
  /// 32 hexadecimal digits.
  package static func digest(of address: String) -> String {
    String(((try? SHA256.text(of: Array(address.utf8))) ?? "").prefix(32))
  }
}
