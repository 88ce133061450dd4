/// Plays whose times are those of a clock that was not synchronised, by ranges of lines.
struct ProofClocks: Sendable {
  private var ranges: [(lines: ClosedRange<Int>, chains: ClosedRange<Int64>, isKnown: Bool)] = []
  /// How many plays.
  private(set) var count = 0

  mutating func add(_ row: ProofRow) {
    guard row.isClockSynchronised != true else { return }
    count += 1
    let isKnown = row.isClockSynchronised == false
    if let last = ranges.last, last.isKnown == isKnown, last.lines.upperBound + 1 == row.line {
      let chains = min(last.chains.lowerBound, row.chain)...max(last.chains.upperBound, row.chain)
      ranges[ranges.count - 1] = (last.lines.lowerBound...row.line, chains, isKnown)
    } else if ranges.count < ProofFindings.limit {
      ranges.append((row.line...row.line, row.chain...row.chain, isKnown))
    }
  }

  var findings: [ProofFinding] {
    ranges.map { range in
      let more = range.lines.count == 1 ? "" : ", and up to line \(range.lines.upperBound)"
      let words = range.isKnown ? "was not synchronised" : "may not have been synchronised"
      var finding = ProofFinding(
        .changed, line: range.lines.lowerBound, chain: range.chains,
        "the clock of the computer \(words)\(more)")
      finding.lines = range.lines
      return finding
    }
  }
}
