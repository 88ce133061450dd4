import CastProtocol
import Glibc
import Logging

/// One log record, before redaction.
struct CastLogRecord: Sendable {
  var level: CastLogLevel
  var className: String
  var function: String
  /// File and line.
  var location: String
  var message: String
  var metadata: Logger.Metadata

  /// Maximum length of a record's text, less than the minimum file size. UTF-8 bytes.
  static let textLimit = 30 * 1024

  /// The message and its metadata, sorted by key, on one line without control characters.
  func text(_ redaction: Redaction) -> String {
    var text = redaction.text(message)
    for (key, value) in redaction.metadata(metadata).sorted(by: { $0.key < $1.key }) {
      text += " \(key)=\(Self.quoted("\(value)"))"
    }
    let size = text.utf8.count
    guard size > Self.textLimit else { return Self.harmless(text) }
    return Self.harmless(String(decoding: text.utf8.prefix(Self.textLimit), as: UTF8.self))
      + "… (\(size) bytes)"
  }

  /// A line of a file or a console, including its end.
  func line(_ text: String, at milliseconds: Int64) -> String {
    "\(Self.timestamp(milliseconds)) \(level.word) \(Self.harmless(className)): \(text)\n"
  }

  /// Quotes a value that contains a space, a quote or an equals sign; JSON is written unquoted, because it is self-delimiting.
  private static func quoted(_ value: String) -> String {
    if value.hasPrefix("{") || value.hasPrefix("[") { return value }
    let isPlain = !value.isEmpty && value.unicodeScalars.allSatisfy { $0 != " " && $0 != "\"" && $0 != "=" }
    return isPlain ? value : JSONValue.string(value).text
  }

  /// Foreign text must not start a new line, move a cursor, reverse text or hide any: such characters are written as visible escapes.
  private static func harmless(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = ""
    VisibleText.forEach(text) { scalar, kind in
      if kind == .shown {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result
  }

  /// RFC 3339 in UTC with milliseconds.
  static func timestamp(_ milliseconds: Int64) -> String {
    var seconds = time_t(milliseconds / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var buffer = [CChar](repeating: 0, count: 32)
    let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
    let rest = String(milliseconds % 1000)
    let zeros = String(repeating: "0", count: max(3 - rest.utf8.count, 0))
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      + ".\(zeros)\(rest)Z"
  }
}
