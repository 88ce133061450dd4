import COpenSSL

/// The error queue OpenSSL keeps for each thread. It must be read on the thread of the failed call, before the
/// next call, and cleared before each call, or old errors are taken for new ones.
enum OpenSSLErrors {
  /// How many errors are put into words; the first is the cause, later ones are where it was noticed.
  private static let mostReported = 3

  static func clear() { ERR_clear_error() }

  /// Empties the queue of this thread and returns it in OpenSSL's own words.
  static func takeWords() -> String {
    var words: [String] = []
    var data: UnsafePointer<CChar>?
    var flags: Int32 = 0
    while words.count < mostReported {
      let code = ERR_get_error_all(nil, nil, nil, &data, &flags)
      guard code != 0 else { break }
      var reason = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
      if flags & ERR_TXT_STRING != 0, let data, data.pointee != 0 { reason += " (\(String(cString: data)))" }
      words.append(reason)
    }
    ERR_clear_error()
    return words.isEmpty ? "OpenSSL gave no reason" : words.joined(separator: "; ")
  }

  /// An error for settings or credentials of our own: what was tried, and why it failed.
  static func unusable(_ attempt: String) -> TLSError { .unusable("\(attempt): \(takeWords())") }
}
