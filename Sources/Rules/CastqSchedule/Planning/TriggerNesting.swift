/// Announcements interrupt each other to a depth of four; what would be deeper waits until one of them is over.
struct TriggerNesting<Element: Sendable>: Sendable {
  static var depth: Int { 4 }
  /// Waiting announcements beyond this many are dropped, the newest first.
  static var longestQueue: Int { 64 }

  private(set) var admitted: [Element] = []
  private(set) var waiting: [Element] = []

  /// Whether the announcement may interrupt at once; else it waits.
  /// - Parameter end: when an announcement is over, comparable with `moment`.
  mutating func begin<Moment: Comparable>(_ element: Element, at moment: Moment, end: (Element) -> Moment)
    -> Bool
  {
    admitted.removeAll { end($0) <= moment }
    guard admitted.count >= Self.depth || !waiting.isEmpty else {
      admitted.append(element)
      return true
    }
    if waiting.count < Self.longestQueue { waiting.append(element) }
    return false
  }

  /// The announcements that need not wait any more.
  mutating func advance<Moment: Comparable>(to moment: Moment, end: (Element) -> Moment) -> [Element] {
    admitted.removeAll { end($0) <= moment }
    waiting.removeAll { end($0) <= moment }
    let count = min(Self.depth - admitted.count, waiting.count)
    guard count > 0 else { return [] }
    let next = Array(waiting.prefix(count))
    waiting.removeFirst(count)
    admitted += next
    return next
  }

  /// Removes announcements that are not wanted any more.
  mutating func remove(where isUnwanted: (Element) -> Bool) {
    admitted.removeAll(where: isUnwanted)
    waiting.removeAll(where: isUnwanted)
  }

  /// When the next one may be admitted; nil when none waits.
  func nextAdmission<Moment: Comparable>(end: (Element) -> Moment) -> Moment? {
    waiting.isEmpty ? nil : admitted.map(end).min()
  }
}
