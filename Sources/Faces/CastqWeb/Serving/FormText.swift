import CastqOperations
import CastqText

/// The text of queries and forms: `a=1&b=x+y%2C`.
enum FormText {
  /// The most parts that are read.
  private static let most = 256

  /// The parts in their order; nil when there are too many, or one is no UTF-8.
  static func options(_ text: some StringProtocol) -> WebOptions? {
    var values: [WebOptions.Value] = []
    for part in text.split(separator: "&") {
      guard values.count < most else { return nil }
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(halves[0], isForm: true),
        let value = halves.count > 1 ? decoded(halves[1], isForm: true) : ""
      else { return nil }
      values.append(.init(name, value))
    }
    return WebOptions(values)
  }

  /// Text with percent signs decoded; nil when it is no UTF-8, or has a control character or a broken code.
  static func decoded(_ text: some StringProtocol, isForm: Bool = false) -> String? {
    let bytes = text.utf8.map { isForm && $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    guard let decoded = PercentEncoding.decoding(String(decoding: bytes, as: UTF8.self)) else { return nil }
    let isClean = decoded.utf8.allSatisfy {
      ($0 >= 0x20 && $0 != 0x7F) || (isForm && [9, 10, 13].contains($0))
    }
    return isClean ? decoded : nil
  }
}
