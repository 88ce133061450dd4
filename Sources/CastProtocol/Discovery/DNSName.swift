/// A name of the DNS, such as `_googlecast._tcp.local`. Names that differ in the case of ASCII letters are the same name; as
/// nothing else is folded, two spellings of an accented letter are two names.
///
/// A value may be longer than the DNS allows: only `DNSMessage.encoded(compressing:limit:)` refuses it.
package struct DNSName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// From the most special to the most general; none is the root.
  package let labels: [String]
  /// Each label in lower case after its length: what makes two names the same.
  private let key: [UInt8]

  /// A name of these labels, none of which is empty.
  package init(labels: [String]) {
    self.labels = labels
    var key: [UInt8] = []
    for label in labels {
      key.append(UInt8(clamping: label.utf8.count))
      for byte in label.utf8 { key.append((65...90).contains(byte) ? byte | 32 : byte) }
    }
    self.key = key
  }

  /// Reads labels with dots between them; a backslash takes the next character into the label, and a dot at the end is allowed.
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

  /// The name without its first label: for an instance its service.
  package var parent: DNSName { DNSName(labels: Array(labels.dropFirst())) }

  /// This name below another one.
  package func inside(_ parent: DNSName) -> DNSName { DNSName(labels: labels + parent.labels) }

  /// Dots between the labels; those inside a label after a backslash.
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
