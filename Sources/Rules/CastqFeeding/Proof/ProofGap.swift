/// Places in the chain that are empty where a proof should have them.
struct ProofGap: Sendable {
  private let chains: ClosedRange<Int64>
  /// What stands there instead; nil is the end, or a line that was changed.
  private let next: ProofRow?
  /// The plays of these places that stand further down, in the order of their lines.
  private var found: [ProofRow] = []
  private var numbers: Set<Int64> = []

  private static let most = 1000

  init(_ chains: ClosedRange<Int64>, before next: ProofRow?) {
    self.chains = chains
    self.next = next
  }

  func accepts(_ chain: Int64) -> Bool {
    chains.contains(chain) && !numbers.contains(chain) && found.count < Self.most
  }

  mutating func add(_ row: ProofRow) {
    found.append(row)
    numbers.insert(row.chain)
  }

  func name(in findings: inout ProofFindings) {
    var start = chains.lowerBound
    for number in numbers.sorted() {
      if start < number { findings.add(removed(start...number - 1)) }
      start = number + 1
    }
    if start <= chains.upperBound { findings.add(removed(start...chains.upperBound)) }
    if let pair = swapped {
      findings.add(
        ProofFinding(
          .swapped, line: pair.0.line, chain: pair.1.chain...pair.0.chain,
          "\(pair.0.words) and \(pair.1.words) in line \(pair.1.line) were swapped"))
      return
    }
    for row in found {
      findings.add(
        ProofFinding(
          .moved, line: row.line, chain: row.chain...row.chain, "\(row.words) was moved down"))
    }
  }

  private func removed(_ missing: ClosedRange<Int64>) -> ProofFinding {
    let count = missing.upperBound - missing.lowerBound + 1
    let place = next.map { " before \($0.words)" } ?? ""
    let what =
      count == 1
      ? "place \(missing.lowerBound) of the chain is empty: a play was removed"
      : "places \(missing.lowerBound) to \(missing.upperBound) of the chain are empty: \(count) plays were removed"
    return ProofFinding(.removed, line: next?.line, chain: missing, what + place)
  }

  /// The two plays that have changed places, the one that stands first in front; nil when it was something else.
  private var swapped: (ProofRow, ProofRow)? {
    guard let next, next.chain == chains.upperBound + 1, let last = found.last,
      last.chain == chains.lowerBound, Int64(found.count) == chains.upperBound - chains.lowerBound + 1
    else { return nil }
    for (index, row) in found.enumerated() {
      let isInPlace = index == found.count - 1 || row.chain == chains.lowerBound + 1 + Int64(index)
      guard isInPlace, row.line == next.line + 1 + index else { return nil }
    }
    return (next, last)
  }
}
