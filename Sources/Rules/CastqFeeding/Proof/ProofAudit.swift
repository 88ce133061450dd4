/// Checks a proof of play line by line, in memory that does not depend on its length.
package struct ProofAudit: Sendable {
  private let checks: ProofChecks
  private var line = 0
  private var header: (value: ProofHeader, hash: String)?
  private var end: ProofEnd?
  private var order: ProofOrder?
  private var findings = ProofFindings()
  private var clocks = ProofClocks()
  private var excess = ProofExcess()
  private var plays = 0
  private var shown = 0
  private var rows = HashOfRows()
  /// Whether anything was read that a proof has.
  private var isOfProof = false

  /// The most bytes of a line; what is longer is no line of a proof.
  package static let lineLimit = ProofLine.limit

  /// Lines that are no part of any proof; beyond them, what is read is something else.
  private static let mostStray = 100_000
  private var stray = 0

  /// Whether so much of what was read is no proof that the rest need not be read.
  package var isHopeless: Bool { stray >= Self.mostStray }

  package init(_ checks: ProofChecks) { self.checks = checks }

  /// Reads the next line, without its line feed.
  package mutating func read(_ bytes: [UInt8]) {
    line += 1
    let read = ProofLine(bytes, number: line, hash: checks.hash)
    if case .broken(_, nil) = read {} else { isOfProof = true }
    switch read {
    case .header(let value, let hash) where line == 1:
      header = (value, hash)
      order = ProofOrder(after: .init(chain: value.previousChain, hash: value.previousHash))
    case .header: addBroken(nil, "a second header")
    case .play(let row):
      if end != nil { return addAfterEnd(row.words) }
      beginWithoutHeader()
      plays += 1
      rows.add(row.hash, checks.hash)
      if !row.isHidden {
        shown += 1
        clocks.add(row)
        excess.add(row)
      }
      order?.add(row)
    case .broken(let claimed, let words): addBroken(claimed, words)
    case .end(let value):
      if end != nil { return addAfterEnd("a second end") }
      beginWithoutHeader()
      end = value
    }
  }

  /// Counts a line that is longer than the limit.
  package mutating func readOverlong() {
    line += 1
    addBroken(nil, "a line that is longer than \(Self.lineLimit) bytes")
  }

  private mutating func addBroken(_ claimed: Int64?, _ words: String?) {
    if end != nil { return addAfterEnd(words) }
    stray += 1
    guard line > 1 else { return beginWithoutHeader() }
    beginWithoutHeader()
    order?.addBroken(line: line, claimed: claimed, words: words)
  }

  private mutating func addAfterEnd(_ words: String?) {
    stray += 1
    findings.add(ProofFinding(.putIn, line: line, of: words, "was put in after the end"))
  }

  private mutating func beginWithoutHeader() {
    guard order == nil else { return }
    order = ProofOrder(after: nil)
    findings.add(ProofFinding(.header, line: 1, "the header of a proof is missing or was changed"))
  }

  /// The verdict, when all lines have been read.
  /// - Parameter trusted: the public key that has to have signed it.
  package mutating func verdict(trusted: String) -> ProofVerdict {
    guard isOfProof else {
      return ProofVerdict(
        outcome: .notAProof, header: nil, plays: 0, shown: 0, findings: [], findingCount: 0, clocks: [],
        clockCount: 0, excess: [], excessCount: 0)
    }
    if isHopeless {
      let words =
        "this is no proof: \(stray) lines up to line \(line) are of none, and nothing behind it was read"
      findings.add(ProofFinding(.end, words))
    }
    let signed = end.map { ProofOrder.Link(chain: $0.lastChain, hash: $0.lastHash) }
    let ordered = order?.finish(at: signed)
    for finding in ordered?.all ?? [] { findings.add(finding) }
    var isOfOther = false
    if let end {
      if let header, header.hash != end.headerHash {
        findings.add(ProofFinding(.header, line: 1, "the header was changed"))
      }
      if !checks.verifies(end.signature, end.text, trusted) {
        let key = header?.value.publicKey
        isOfOther = key != trusted && key.map { checks.verifies(end.signature, end.text, $0) } == true
        if !isOfOther {
          findings.add(
            ProofFinding(
              .signature, line: line,
              "the signature does not fit: the end was changed, or all of it made again"))
        }
      }
    } else if line > 0, !isHopeless {
      findings.add(ProofFinding(.end, "the end is missing: what was behind line \(line) was removed"))
    }
    let isWhole = findings.count == 0 && (ordered?.count ?? 0) == 0
    if isWhole, let signed = end?.rowsHash, signed != rows.value {
      findings.add(ProofFinding(.changed, "the hash of a play that is not shown was changed"))
    }
    let more = (ordered?.count ?? 0) - (ordered?.all.count ?? 0)
    return ProofVerdict(
      outcome: isOfOther ? .anotherKey : findings.count > 0 ? .altered : .true,
      header: header?.value, plays: plays, shown: shown, findings: findings.all,
      findingCount: findings.count + more,
      clocks: clocks.findings, clockCount: clocks.count, excess: excess.plays.all,
      excessCount: excess.plays.count)
  }
}

/// What a proof is worth.
package struct ProofVerdict: Sendable, Hashable {
  package enum Outcome: String, Sendable, Hashable {
    /// It is what the trusted key signed.
    case `true`
    /// It is not what was signed.
    case altered
    /// Another key than the trusted one signed it.
    case anotherKey = "another_key"
    /// Nothing of it is of a proof.
    case notAProof = "not_a_proof"
  }

  package let outcome: Outcome
  /// Nil when the file has none.
  package let header: ProofHeader?
  /// How many plays it has, those included that it does not show.
  package let plays: Int
  package let shown: Int
  /// What is wrong, the first thousand.
  package let findings: [ProofFinding]
  package let findingCount: Int
  /// Where plays have the times of a clock that was not synchronised, or may not have been: ranges of lines, the first thousand.
  package let clocks: [ProofFinding]
  package let clockCount: Int
  /// Plays that say more than a clock can hold, the first thousand.
  package let excess: [ProofFinding]
  package let excessCount: Int
}
