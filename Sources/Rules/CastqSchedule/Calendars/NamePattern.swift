/// A pattern for names of events: `*` stands for anything, and without one a name has to contain the text. Case does not count.
package struct NamePattern: Sendable, Hashable {
  private let parts: [String]
  private let isWhole: Bool

  package init(_ text: String) {
    let text = text.lowercased()
    isWhole = text.contains("*")
    parts = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
  }

  package func matches(_ name: String) -> Bool {
    let name = Array(name.lowercased().utf8)
    var position = 0
    for (index, part) in parts.enumerated() {
      let part = Array(part.utf8)
      if isWhole, index == parts.count - 1, index > 0 {
        return name.count - part.count >= position && name.suffix(part.count).elementsEqual(part)
      }
      guard let found = Self.first(part, in: name, from: position) else { return false }
      if isWhole, index == 0, found > 0 { return false }
      position = found + part.count
    }
    return true
  }

  private static func first(_ part: [UInt8], in name: [UInt8], from start: Int) -> Int? {
    guard name.count - part.count >= start else { return nil }
    return (start...(name.count - part.count)).first { name[$0..<$0 + part.count].elementsEqual(part) }
  }
}
