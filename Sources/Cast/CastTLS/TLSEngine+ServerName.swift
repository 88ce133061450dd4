import COpenSSL
import Glibc

extension TLSEngine {
  /// Requires this name or address in the server's certificate, and sends a name to the server (SNI).
  ///
  /// The certificate's common name is used only if it has no other names, and `*` matches one whole label (RFC 6125, 6.4).
  func expect(_ serverName: String) throws(TLSError) {
    OpenSSLErrors.clear()
    // A trailing dot marks a name as absolute for the resolver; certificates and SNI omit it (RFC 6066, 3).
    let name = serverName.hasSuffix(".") ? String(serverName.dropLast()) : serverName
    guard !name.isEmpty, !name.utf8.contains(0) else { throw .unusable("\"\(name)\" is not a server name") }
    if Self.isAddress(name) {
      guard X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name) == 1 else {
        throw OpenSSLErrors.unusable("expecting the address \(name)")
      }
      return
    }
    SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
    guard SSL_set1_host(ssl, name) == 1, COpenSSL_set_server_name(ssl, name) == 1 else {
      throw OpenSSLErrors.unusable("expecting the name \(name)")
    }
  }

  /// Why the peer's certificate was refused, as OpenSSL's message; nil when it was not verified or not refused.
  var verdict: String? {
    let code = SSL_get_verify_result(ssl)
    guard SSL_get_verify_mode(ssl) & SSL_VERIFY_PEER != 0, code != Int(X509_V_OK) else { return nil }
    return X509_verify_cert_error_string(code).map { String(cString: $0) } ?? "error \(code)"
  }

  private static func isAddress(_ name: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1
  }
}
