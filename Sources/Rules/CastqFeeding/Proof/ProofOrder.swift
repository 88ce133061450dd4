/// Compares the plays of a proof with the order that their hashes give, one after the other, and names what does not fit.
///
/// The plays that follow each other are the run. A play that is missing opens a gap; one that belongs into a gap and comes later was
/// moved. Two plays that want the same place are rivals, and what follows decides: a later play names the hash of the true one.
struct ProofOrder: Sendable {
  private(set) var findings = ProofFindings()
  /// The end of the run; nil before the first play, when there is no header.
  private var last: Link?
  /// The newest plays of the run.
  private var recent: [ProofRow] = []
  private var rival: Rival?
  private var broken: [Broken] = []
  private var gaps: [ProofGap] = []

  /// Bounds of what is remembered; a file with more mistakes is named less exactly.
  private static let (mostRecent, mostBroken, mostGaps) = (64, 1000, 1000)
  /// Plays in all gaps together.
  private static let mostMoved = 10_000
  private var moved = 0

  struct Link: Sendable {
    let chain: Int64
    let hash: String

    func isFollowed(by chain: Int64, _ previous: String) -> Bool {
      chain == self.chain + 1 && previous == hash
    }
  }

  private struct Broken {
    let line: Int
    let claimed: Int64?
    /// Nil for what is no line of a proof.
    let words: String?

    func finding(_ kind: ProofFinding.Kind, _ chain: Int64? = nil) -> ProofFinding {
      ProofFinding(
        kind, line: line, chain: chain.map { $0...$0 }, of: words,
        kind == .putIn ? "was put in" : "was changed")
    }
  }

  /// Plays beside the run, each after the other.
  private struct Rival {
    let first: ProofRow
    var last: ProofRow
    var count = 1
    /// Whether it continues the numbers of the run, but not its last hash.
    let isNext: Bool
  }

  init(after link: Link?) { last = link }

  mutating func addBroken(line: Int, claimed: Int64?, words: String?) {
    guard broken.count < Self.mostBroken else {
      return findings.add(ProofFinding(.changed, line: line, of: words, "was changed or put in"))
    }
    broken.append(Broken(line: line, claimed: claimed, words: words))
  }

  mutating func add(_ row: ProofRow) {
    let run = last ?? Link(chain: row.chain - 1, hash: row.previous)
    last = run
    if settleBroken(before: row.chain, row.previous, run) { return advance(to: row) }
    if run.isFollowed(by: row.chain, row.previous) {
      dismissRival()
      return advance(to: row)
    }
    if let rival, rival.last.isFollowed(by: row.chain, row.previous) {
      self.rival?.last = row
      self.rival?.count += 1
      if row.chain > run.chain { adoptRival(row) }
      return
    }
    if row.chain > run.chain + 1 {
      dismissRival()
      open(run.chain + 1...row.chain - 1, before: row)
      return advance(to: row)
    }
    if row.chain <= run.chain, moved < Self.mostMoved,
      let gap = gaps.firstIndex(where: { $0.accepts(row.chain) })
    {
      moved += 1
      return gaps[gap].add(row)
    }
    dismissRival()
    rival = Rival(first: row, last: row, isNext: row.chain > run.chain)
  }

  /// Compares the end of the run with the signed one, and names the gaps.
  /// - Parameter end: nil when the file has none.
  mutating func finish(at end: Link?) -> ProofFindings {
    if let end, let run = last { close(run, at: end) }
    for each in broken { findings.add(each.finding(.changed)) }
    broken = []
    dismissRival()
    for gap in gaps { gap.name(in: &findings) }
    return findings
  }

  private mutating func close(_ run: Link, at end: Link) {
    let next = end.chain + 1
    if settleBroken(before: next, end.hash, run) { return }
    if let rival, rival.last.isFollowed(by: next, end.hash) { return adoptRival(rival.last) }
    dismissRival()
    if run.isFollowed(by: next, end.hash) { return }
    if next > run.chain + 1 { return open(run.chain + 1...end.chain, before: nil) }
    if next == run.chain + 1 { return blameLast() }
    for row in recent where row.chain > end.chain { addPutIn(row) }
  }

  private mutating func advance(to row: ProofRow) {
    last = Link(chain: row.chain, hash: row.hash)
    recent.append(row)
    if recent.count > Self.mostRecent { recent.removeFirst() }
  }

  // MARK: gaps

  private mutating func open(_ chains: ClosedRange<Int64>, before row: ProofRow?) {
    let gap = ProofGap(chains, before: row)
    if gaps.count < Self.mostGaps { gaps.append(gap) } else { gap.name(in: &findings) }
  }

  /// Decides what broken lines before a play are: they were put in when the play follows the run, and else they stand where plays
  /// are missing.
  /// - Returns: whether the play's place is settled by that.
  private mutating func settleBroken(before chain: Int64, _ previous: String, _ run: Link) -> Bool {
    guard !broken.isEmpty else { return false }
    let lines = broken
    broken = []
    guard !run.isFollowed(by: chain, previous), chain > run.chain + 1 else {
      for each in lines { findings.add(each.finding(.putIn)) }
      return false
    }
    dismissRival()
    let places = run.chain + 1...chain - 1
    // A line stands for the play whose number it has, else for the first one that is missing.
    var claimed = Set(lines.compactMap(\.claimed).filter(places.contains))
    var next = places.lowerBound
    var seen: Set<Int64> = []
    for each in lines {
      if let number = each.claimed, claimed.contains(number), seen.insert(number).inserted {
        findings.add(each.finding(.changed, number))
        continue
      }
      while claimed.contains(next) { next += 1 }
      guard places.contains(next) else {
        findings.add(each.finding(.putIn))
        continue
      }
      findings.add(each.finding(.changed, next))
      claimed.insert(next)
    }
    var start = places.lowerBound
    for number in claimed.sorted() {
      if start < number { open(start...number - 1, before: nil) }
      start = number + 1
    }
    if start <= places.upperBound { open(start...places.upperBound, before: nil) }
    return true
  }

  // MARK: rivals

  private mutating func addPutIn(_ row: ProofRow) {
    findings.add(
      ProofFinding(.putIn, line: row.line, chain: row.chain...row.chain, "\(row.words) was put in"))
  }

  private mutating func dismissRival() {
    guard let rival else { return }
    self.rival = nil
    addPutIn(rival.first)
    if rival.count > 2 {
      findings.add(
        ProofFinding(
          .putIn, line: rival.first.line + 1, chain: rival.first.chain + 1...rival.last.chain,
          "\(rival.count - 1) more plays up to line \(rival.last.line) were put in"))
    } else if rival.count == 2 {
      addPutIn(rival.last)
    }
  }

  /// The plays beside the run are the true ones.
  private mutating func adoptRival(_ row: ProofRow) {
    guard let rival else { return }
    self.rival = nil
    if rival.isNext {
      blameLast()
    } else {
      recent.filter { $0.chain >= rival.first.chain }.forEach { addPutIn($0) }
    }
    recent = []
    advance(to: row)
  }

  /// The last play of the run has a hash that fits its words, and not what follows.
  private mutating func blameLast() {
    guard let row = recent.last else {
      findings.add(ProofFinding(.header, "the plays do not continue what the header says is before them"))
      return
    }
    findings.add(
      ProofFinding(
        .changed, line: row.line, chain: row.chain...row.chain,
        "\(row.words) was changed and hashed again"))
  }
}

extension ProofRow {
  func isFollowed(by chain: Int64, _ previous: String) -> Bool {
    ProofOrder.Link(chain: self.chain, hash: hash).isFollowed(by: chain, previous)
  }
}
