import CastqFeeding

extension Parser {
  /// A proof of play: whatever its lines are, there is a verdict, and never that of a true proof, since no signature fits. The hash is a
  /// toy, so that lines which fit theirs can be found.
  func parseProof(_ bytes: [UInt8]) {
    let checks = ProofChecks(
      hash: { text in
        let digit = Array("0123456789abcdef")[text.utf8.reduce(0) { ($0 + Int($1)) % 16 }]
        return String(repeating: digit, count: 64)
      }, verifies: { _, _, _ in false })
    var audit = ProofAudit(checks)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.count > ProofAudit.lineLimit { audit.readOverlong() } else { audit.read(Array(line)) }
    }
    let verdict = audit.verdict(trusted: "key")
    precondition(verdict.outcome != .true, "a proof that nobody signed is true")
    precondition(verdict.findings.count <= 1000 && verdict.clocks.count <= 1000)
    precondition(verdict.findingCount >= verdict.findings.count)
  }
}
