import COpenSSL
import Glibc

/// OpenSSL's error queue of a thread. It must be read on the thread of the failed call, before the next call, and cleared before
/// each call, or old errors are attributed to new calls.
enum OpenSSLErrors {
  /// Maximum number of errors in a message; the first is the cause, later ones are its consequences.
  private static let mostReported = 3

  /// OpenSSL would free what it has when the process calls `exit`, while other threads still connect: a crash at the end. Its first call
  /// decides, and this precedes each.
  private static let staysUntilTheEnd = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)

  static func clear() {
    _ = staysUntilTheEnd
    ERR_clear_error()
  }

  /// Empties the queue of this thread and returns OpenSSL's messages.
  static func takeWords() -> String {
    var words: [String] = []
    var data: UnsafePointer<CChar>?
    var flags: Int32 = 0
    while words.count < mostReported {
      let code = ERR_get_error_all(nil, nil, nil, &data, &flags)
      guard code != 0 else { break }
      // "system lib" says that the error before came from the system.
      if !words.isEmpty, code & isOfSystem == 0, code & reasonBits == UInt(ERR_R_SYS_LIB) { continue }
      var reason = reason(code)
      if flags & ERR_TXT_STRING != 0, let data, data.pointee != 0 { reason += " (\(String(cString: data)))" }
      words.append(reason)
    }
    ERR_clear_error()
    return words.isEmpty ? "OpenSSL gave no reason" : words.joined(separator: "; ")
  }

  /// OpenSSL's words, or the system's for what came from there: OpenSSL has none for those.
  private static func reason(_ code: UInt) -> String {
    if code & isOfSystem != 0 {
      return String(cString: strerror(Int32(truncatingIfNeeded: code & ~isOfSystem)))
    }
    return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// ERR_SYSTEM_FLAG and ERR_REASON_MASK of openssl/err.h, which Swift cannot import.
  private static let isOfSystem: UInt = 0x8000_0000
  private static let reasonBits: UInt = 0x7F_FFFF

  /// An error for this program's settings or credentials: the failed operation and its cause.
  static func unusable(_ attempt: String) -> TLSError { .unusable("\(attempt): \(takeWords())") }
}
