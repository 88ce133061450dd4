import COpenSSL

/// The calling thread's OpenSSL error queue. Cleared before every call, read at once after a failing one, never kept across
/// an `await`: the queue belongs to the thread.
enum OpenSSLErrors {
  static func clear() { ERR_clear_error() }

  /// The words of everything in the queue, oldest first; empties it.
  static func take() -> String {
    var words: [String] = []
    while true {
      let code = ERR_get_error()
      if code == 0 { break }
      let reason = ERR_reason_error_string(code).map { String(cString: $0) }
      words.append(reason ?? "error \(code)")
    }
    return words.isEmpty ? "no reason given" : words.joined(separator: ", ")
  }
}
