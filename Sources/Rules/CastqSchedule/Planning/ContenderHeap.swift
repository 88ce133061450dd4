/// The occurrences that are on, with the winner on top. What has ended stays until it comes to the top.
struct ContenderHeap: Sendable {
  private var nodes: [Contender] = []

  var top: Contender? { nodes.first }

  mutating func insert(_ contender: Contender) {
    nodes.append(contender)
    var child = nodes.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard nodes[child].beats(nodes[parent]) else { return }
      nodes.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes those from the top that have ended.
  mutating func removeEnded(at moment: Int64) {
    while let top, top.end <= moment { removeTop() }
  }

  private mutating func removeTop() {
    let last = nodes.removeLast()
    guard !nodes.isEmpty else { return }
    nodes[0] = last
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < nodes.count && nodes[child].beats(nodes[best]) { best = child }
      guard best != parent else { return }
      nodes.swapAt(best, parent)
      parent = best
    }
  }

  /// Those that only their names keep from winning. Equals of the top hang together below it: what is above one of them is one too.
  func tied(at moment: Int64) -> [Contender] {
    guard let top else { return [] }
    var tied: [Contender] = []
    var open = [1, 2]
    while let node = open.popLast() {
      guard node < nodes.count, nodes[node].rank == top.rank, nodes[node].start == top.start else { continue }
      if nodes[node].end > moment, nodes[node].isTied(with: top) { tied.append(nodes[node]) }
      open += [2 * node + 1, 2 * node + 2]
    }
    return tied
  }
}
