import CastTLS
package import CastqFeeding

extension ProofChecks {
  /// By OpenSSL.
  package static let openSSL = ProofChecks(
    hash: { text in
      do throws(TLSError) { return try SHA256.text(of: text.utf8) } catch { return nil }
    },
    verifies: { signature, text, key in
      guard let signature = KeyText.bytes(signature), let key = KeyText.bytes(key) else { return false }
      return Ed25519Key.verifies(signature, over: Array(text.utf8), publicKey: key)
    })
}
