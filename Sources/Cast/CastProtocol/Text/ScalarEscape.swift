extension Unicode.Scalar {
  /// The scalar as JSON escapes it, in one or two units of UTF-16.
  package var escapedInJSON: String {
    String(self).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: max(4 - digits.utf8.count, 0)) + digits
    }.joined()
  }
}
