/// A DNS name, such as `_googlecast._tcp.local`. Comparison ignores the case of ASCII letters only; two spellings of an accented
/// letter are two names.
///
/// A value may be longer than the DNS allows: `DNSMessage.encoded(compressing:limit:)` refuses it.
package struct DNSName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// From the most specific to the most general; empty is the root.
  package let labels: [String]
  /// The labels in lower case, each after its length; used for comparison.
  private let key: [UInt8]

  /// A name with these labels, none of which is empty.
  package init(labels: [String]) {
    self.labels = labels
    var key: [UInt8] = []
    for label in labels {
      key.append(UInt8(clamping: label.utf8.count))
      for byte in label.utf8 { key.append((65...90).contains(byte) ? byte | 32 : byte) }
    }
    self.key = key
  }

  /// Parses labels separated by dots; a backslash escapes the next character, and a trailing dot is allowed.
  package init(_ dotted: String) {
    var labels: [String] = []
    var label = ""
    var isEscaped = false
    for scalar in dotted.unicodeScalars {
      if isEscaped {
        label.unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "." {
        labels.append(label)
        label = ""
      } else {
        label.unicodeScalars.append(scalar)
      }
    }
    if !label.isEmpty { labels.append(label) }
    self.init(labels: labels)
  }

  package init(stringLiteral value: String) { self.init(value) }

  package static func == (left: DNSName, right: DNSName) -> Bool { left.key == right.key }
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// The name without its first label: the service of an instance.
  package var parent: DNSName { DNSName(labels: Array(labels.dropFirst())) }

  /// This name as a prefix of another one.
  package func inside(_ parent: DNSName) -> DNSName { DNSName(labels: labels + parent.labels) }

  /// The labels separated by dots; dots inside a label are escaped with a backslash.
  package var description: String {
    labels.map { label in
      var text = ""
      for scalar in label.unicodeScalars {
        if scalar == "." || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
      return text
    }
    .joined(separator: ".")
  }
}
