/// Suggests a known word for a misspelled one.
package enum Spelling {
  /// The nearest of the known words, by insertions, deletions, substitutions and transpositions; nil when none is near.
  package static func nearest(to word: String, in known: [String]) -> String? {
    // A much longer word than any known one cannot match, and must not cost time.
    guard word.utf8.count <= 40 else { return nil }
    let tolerance = max(1, word.utf8.count / 3)
    let ranked = known.map { (word: $0, distance: distance(Array(word.utf8), Array($0.utf8))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= tolerance else {
      return nil
    }
    return best.word
  }

  /// The known word that a person began to write: the shortest one, when all others that begin so begin with it; nil where the beginning
  /// fits words that differ.
  package static func completion(of beginning: String, in known: [String]) -> String? {
    let fitting = known.filter { $0.hasPrefix(beginning) }
    guard !beginning.isEmpty, let shortest = fitting.min(by: { $0.utf8.count < $1.utf8.count }) else {
      return nil
    }
    return fitting.allSatisfy { $0.hasPrefix(shortest) } ? shortest : nil
  }

  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in 0..<left.count {
      var row = [i + 1]
      for j in 0..<right.count {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[right.count]
  }
}
