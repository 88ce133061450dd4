extension StringProtocol where SubSequence == Substring {
  /// Without blanks and tabs at its ends.
  package var trimmingBlanks: String {
    let head = drop { $0 == " " || $0 == "\t" }
    guard let last = head.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(head[...last])
  }
}
