/// Lines that wait to be written. It is bounded: when it is full, the oldest lines go, and are counted.
///
/// What is newest says best how a program is now. The number of lines that went stands where they would have stood.
package struct LineBacklog: Sendable {
  private struct Piece: Sendable {
    let text: [UInt8]
    /// Whether it redraws a line of progress, which the next one replaces.
    let isProgress: Bool
  }

  /// Bytes; one line that is longer is kept.
  private let limit: Int
  private var pieces: [Piece] = []
  /// The index of the oldest piece that still waits.
  private var first = 0
  private(set) var size = 0
  /// Lines that went since the last one was taken.
  private(set) var dropped = 0

  package init(limit: Int) { self.limit = limit }

  package var isEmpty: Bool { first == pieces.count }

  /// Appends a line, with its end.
  package mutating func append(_ line: [UInt8]) { append(Piece(text: line, isProgress: false)) }

  /// Appends what redraws the line of progress, in place of what waits to do so.
  package mutating func append(progress text: [UInt8]) {
    if !isEmpty, let last = pieces.last, last.isProgress {
      size -= last.text.count
      pieces.removeLast()
    }
    append(Piece(text: text, isProgress: true))
  }

  private mutating func append(_ piece: Piece) {
    pieces.append(piece)
    size += piece.text.count
    while size > limit, pieces.count - first > 1 {
      if !removeFirst().isProgress { dropped += 1 }
    }
  }

  /// Removes and returns what is to be written next; nil when nothing waits.
  /// - Parameter report: the line that says how many lines went.
  package mutating func next(reporting report: (Int) -> [UInt8]) -> [UInt8]? {
    if dropped > 0 {
      defer { dropped = 0 }
      return report(dropped)
    }
    return isEmpty ? nil : removeFirst().text
  }

  private mutating func removeFirst() -> Piece {
    let piece = pieces[first]
    first += 1
    size -= piece.text.count
    if first == pieces.count || first >= 1024 {
      pieces.removeFirst(first)
      first = 0
    }
    return piece
  }
}
