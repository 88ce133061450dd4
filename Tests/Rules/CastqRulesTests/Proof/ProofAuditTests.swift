import CastProtocol
import CastqFeeding
import CastqText
import Testing

/// The hashes and signatures here are toys: what is tested is what follows from them.
@Suite struct ProofAuditTests {
  private static let checks = ProofChecks(
    hash: { text in
      var value: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
      let digits = String(value, radix: 16)
      return String(repeating: "0", count: 64 - digits.utf8.count) + digits
    },
    verifies: { signature, text, key in signature == sign(text, key) })

  private static func sign(_ text: String, _ key: String) -> String { "\(key) signs \(text)" }

  private static func text(_ members: [String: JSONValue]) -> String {
    CanonicalText.of(.object(members)) ?? ""
  }

  private func row(
    _ chain: Int64, after previous: String, title: String? = nil, isHidden: Bool = false,
    _ edit: (inout PlayWords) -> Void = { _ in }
  ) -> (line: String, hash: String) {
    var words = PlayWords(
      chain: chain, previous: previous, play: chain + 100, entry: chain, turn: 1, device: "lobby",
      deviceKey: nil, title: title ?? "item \(chain)", url: "http://host/\(chain)")
    words.isClockSynchronised = true
    // A chain has rows of both formats.
    if chain % 3 > 0 { words.nonce = String(repeating: "7", count: 32) }
    edit(&words)
    let hash = words.hash(Self.checks.hash) ?? ""
    let members =
      isHidden
      ? words.hiddenMembers(hash: hash, Self.checks.hash)
      : words.members(hash: hash, showsPlace: chain % 2 == 0, Self.checks.hash)
    return (Self.text(members ?? [:]), hash)
  }

  /// A proof of the plays 11 to 10 + count, signed by the key "ours".
  private func proof(
    _ count: Int64 = 9, hiding hidden: ClosedRange<Int64>? = nil,
    first edit: (inout PlayWords) -> Void = { _ in }
  ) -> [String] {
    var rows = HashOfRows()
    var (last, lines) = (String(repeating: "a", count: 64), [String]())
    let header = Self.text([
      "type": "header", "format": "castq-proof-2", "site": "here", "since": .null, "until": .null,
      "devices": .array([]), "public_key": "ours", "previous_chain": 10, "previous_hash": .string(last),
    ])
    lines.append(header)
    for chain in 11..<11 + count {
      let row = row(chain, after: last, isHidden: hidden?.contains(chain) == true) { words in
        if chain == 11 { edit(&words) }
      }
      rows.add(row.hash, Self.checks.hash)
      lines.append(row.line)
      last = row.hash
    }
    var end: [String: JSONValue] = [
      "type": "end", "plays": .integer(count), "last_chain": .integer(10 + count), "last_hash": .string(last),
      "header_hash": .string(Self.checks.hash(header) ?? ""), "rows_hash": .string(rows.value),
    ]
    end["signature"] = .string(Self.sign(Self.text(end), "ours"))
    return lines + [Self.text(end)]
  }

  private func verdict(_ lines: [String], trusted: String = "ours") -> ProofVerdict {
    var audit = ProofAudit(Self.checks)
    for line in lines { audit.read(Array(line.utf8)) }
    return audit.verdict(trusted: trusted)
  }

  private func findings(_ lines: [String]) -> [String] {
    let verdict = verdict(lines)
    #expect(verdict.outcome == (verdict.findings.isEmpty ? .true : .altered))
    return verdict.findings.map { finding in
      let places = finding.chain.map { " \($0.lowerBound)-\($0.upperBound)" } ?? ""
      return "\(finding.kind.rawValue)\(places)\(finding.line.map { " at \($0)" } ?? "")"
    }
  }

  @Test("a proof that nobody touched is true")
  func whole() {
    for count in [0, 1, 2, 9] as [Int64] {
      #expect(findings(proof(count)) == [])
      #expect(verdict(proof(count)).plays == Int(count))
    }
  }

  @Test(
    "plays that say more than a clock can hold are named, and the proof is true",
    arguments: [
      (600_000, 3, nil, "10:00 shown in 0:03"), (600_000, 400, nil, nil),
      (600_000, 400, 1000, "10:00 shown in 6:40"),
      (601_000, 300, 2000, nil), (602_000, 300, 64_000, "10:02 shown in 5:00"), (4_500, 3, 1000, nil),
    ] as [(Int64, Double, Int64?, String?)])
  func excess(played: Int64, wall: Double, rate: Int64?, finding: String?) {
    for isOld in [true, false] where !isOld || rate == nil {
      let excess = verdict(
        proof { words in
          words.nonce = isOld ? nil : String(repeating: "7", count: 32)
          words.startedAt = WallTime(milliseconds: 1_000_000)
          words.endedAt = WallTime(milliseconds: 1_000_000).adding(seconds: wall)
          words.played = MediaTime(seconds: Double(played) / 1000)
          words.rate = rate.map { MediaTime(seconds: Double($0) / 1000) }
        })
      #expect(excess.outcome == .true)
      #expect(
        excess.excess.map(\.text) == finding.map { ["line 2: play 111 \"item 11\" on lobby says \($0)"] }
          ?? [])
      #expect(excess.excessCount == (finding == nil ? 0 : 1))
    }
  }

  // Line 1 is the header, line 2 is play 11 of the chain, line 10 is play 19, line 11 the end.
  @Test("what was done to a proof is named")
  func named() {
    let whole = proof()
    func edited(_ edit: (inout [String]) -> Void) -> [String] {
      var lines = whole
      edit(&lines)
      return findings(lines)
    }
    let changed = { (line: String) in line.replacing("item", with: "thing") }
    #expect(edited { $0[4] = changed($0[4]) } == ["changed 14-14 at 5"])
    #expect(edited { $0[1] = changed($0[1]) } == ["changed 11-11 at 2"])
    #expect(edited { $0[9] = changed($0[9]) } == ["changed 19-19 at 10"])
    #expect(
      edited { $0[4] = $0[4].replacing("\"chain\":14", with: "\"chain\":94") } == ["changed 14-14 at 5"])
    #expect(edited { $0[4] += " " } == ["changed 14-14 at 5"], "no other text for the same words")
    #expect(
      edited { lines in for index in 4...6 { lines[index] = changed(lines[index]) } }
        == ["changed 14-14 at 5", "changed 15-15 at 6", "changed 16-16 at 7"])
    #expect(edited { $0.remove(at: 4) } == ["removed 14-14 at 5"])
    #expect(edited { $0.remove(at: 1) } == ["removed 11-11 at 2"])
    #expect(edited { $0.remove(at: 9) } == ["removed 19-19"])
    #expect(edited { $0.removeSubrange(3...5) } == ["removed 13-15 at 4"])
    #expect(edited { $0.removeSubrange(1...9) } == ["removed 11-19"])
    #expect(edited { $0.insert($0[3], at: 7) } == ["put_in 13-13 at 8"])
    #expect(edited { $0.insert($0[3], at: 4) } == ["put_in 13-13 at 5"])
    #expect(edited { $0.insert(changed($0[3]), at: 4) } == ["put_in at 5"])
    #expect(edited { $0.insert("{}", at: 4) } == ["put_in at 5"])
    #expect(edited { $0.insert($0[3], at: 10) } == ["put_in 13-13 at 11"])
    #expect(edited { $0.swapAt(4, 5) } == ["swapped 14-15 at 5"])
    #expect(edited { $0.swapAt(2, 7) } == ["swapped 12-17 at 3"])
    #expect(edited { $0.swapAt(8, 9) } == ["swapped 18-19 at 9"])
    #expect(edited { $0.insert($0.remove(at: 3), at: 8) } == ["moved 13-13 at 9"])
    #expect(
      edited { lines in
        lines[2] = changed(lines[2])
        lines.remove(at: 6)
      } == ["changed 12-12 at 3", "removed 16-16 at 7"])
    #expect(
      edited { lines in
        lines.remove(at: 5)
        lines[4] = changed(lines[4])
      } == ["changed 14-14 at 5", "removed 15-15"])
  }

  @Test("a play with a hash that fits its new words is known by what follows it")
  func hashedAgain() {
    let whole = proof()
    let link = { (line: String) in (try? JSONValue(parsing: line))?["hash"]?.string ?? "" }
    for place in [1, 4, 9] {
      var lines = whole
      let previous = place == 1 ? String(repeating: "a", count: 64) : link(lines[place - 1])
      lines[place] = row(Int64(place) + 10, after: previous, title: "other").line
      #expect(findings(lines) == ["changed \(place + 10)-\(place + 10) at \(place + 1)"])
    }
    // Two that were put in with the numbers and hashes of their place.
    var lines = whole
    let first = row(14, after: link(lines[3]), title: "x")
    let second = row(15, after: first.hash, title: "y")
    lines.insert(contentsOf: [first.line, second.line], at: 4)
    #expect(findings(lines) == ["put_in 14-14 at 5", "put_in 15-15 at 6"])
    // All of it made again without the key.
    lines = whole
    var last = link(lines[3])
    for place in 4...9 {
      let row = row(Int64(place) + 10, after: last, title: "forged \(place)")
      (lines[place], last) = (row.line, row.hash)
    }
    #expect(findings(lines) == ["changed 19-19 at 10"])
    lines[10] = lines[10].replacing("\"last_hash\":\"\(link(whole[9]))\"", with: "\"last_hash\":\"\(last)\"")
    #expect(findings(lines) == ["signature at 11"])
  }

  @Test("the header and the end are part of the proof")
  func frame() {
    let whole = proof()
    for strange in [[], ["hello"], ["", "{}", "[1]"]] as [[String]] {
      #expect(verdict(strange).outcome == .notAProof && verdict(strange).findings.isEmpty)
    }
    #expect(findings(Array(whole.dropLast())) == ["end"])
    #expect(findings(Array(whole.dropLast(3))) == ["end"])
    #expect(findings(Array(whole.dropFirst())) == ["header at 1"])
    #expect(findings([whole[0].replacing("here", with: "there")] + whole.dropFirst()) == ["header at 1"])
    #expect(findings(whole + ["{}"]) == ["put_in at 12"])
    #expect(findings([whole[0]] + whole) == ["put_in at 2"])
    var audit = ProofAudit(Self.checks)
    audit.readOverlong()
    for line in whole { audit.read(Array(line.utf8)) }
    #expect(audit.verdict(trusted: "ours").outcome == .altered)
  }

  @Test("a key inside the file proves nothing")
  func keys() {
    let whole = proof()
    #expect(verdict(whole, trusted: "theirs").outcome == .anotherKey)
    #expect(verdict(whole, trusted: "").outcome == .anotherKey)
    // Somebody puts the trusted key into the header of another site's proof.
    let header = whole[0].replacing("ours", with: "theirs")
    #expect(verdict([header] + whole.dropFirst(), trusted: "theirs").outcome == .altered)
  }

  @Test("plays by a clock that was not synchronised are named by ranges, and the proof is true nevertheless")
  func clocks() {
    var audit = ProofAudit(Self.checks)
    audit.read(Array(proof(0)[0].utf8))
    var last = String(repeating: "a", count: 64)
    for (index, isRight) in [false, false, true, false, nil].enumerated() {
      var words = PlayWords(
        chain: 11 + Int64(index), previous: last, play: 1, entry: 1, turn: 1, device: "lobby", deviceKey: nil,
        title: "t", url: "u")
      words.nonce = String(repeating: "7", count: 32)
      words.isClockSynchronised = isRight
      last = words.hash(Self.checks.hash) ?? ""
      audit.read(Array(Self.text(words.members(hash: last, showsPlace: false, Self.checks.hash) ?? [:]).utf8))
    }
    let verdict = audit.verdict(trusted: "ours")
    #expect(verdict.clocks.map(\.lines) == [2...3, 5...5, 6...6] && verdict.clockCount == 4)
    #expect(self.verdict(proof()).clocks.isEmpty)
  }

  @Test("plays that are not shown hold the chain, and a hash or a line of them that is changed is found")
  func hidden() {
    let whole = proof(hiding: 12...17)
    let verdict = verdict(whole)
    #expect(verdict.outcome == .true && verdict.plays == 9 && verdict.shown == 3)
    #expect(!whole.contains { $0.contains("item 14") } && whole.contains { $0.contains("item 19") })
    for place in 2...7 {
      // Each digit of its own hash, and with it the one that the next line has of it.
      let hash = (try? JSONValue(parsing: whole[place]))?["hash"]?.string ?? ""
      let other = String(hash.dropLast()) + (hash.hasSuffix("0") ? "1" : "0")
      #expect(
        self.verdict(whole.enumerated().map { $0 == place ? $1.replacing(hash, with: other) : $1 }).outcome
          == .altered)
      #expect(self.verdict(whole.map { $0.replacing(hash, with: other) }).outcome == .altered)
      #expect(
        self.verdict(whole.enumerated().filter { $0.offset != place }.map(\.element)).outcome == .altered)
    }
    // What was hidden is the same as what is shown: the hashes of both files agree.
    #expect(findings(Array(proof()[..<2]) + whole[2...7] + Array(proof()[8...])) == [])
  }

  @Test("an address that does not fit its hash is found, and one that is withheld is not missed")
  func places() {
    let whole = proof()
    let line = 4
    #expect(whole[line].contains("http://host/14"))
    #expect(
      findings(whole.enumerated().map { $0 == line ? $1.replacing("host", with: "other") : $1 }) == [
        "changed 14-14 at 5"
      ])
    var members = (try? JSONValue(parsing: whole[line]))?.object ?? [:]
    for name in ["url", "source", "line", "nonce"] { members[name] = nil }
    #expect(findings(whole.enumerated().map { $0 == line ? Self.text(members) : $1 }) == [])
  }

  @Test("whatever is done to a proof by chance is found, and ends")
  func chance() {
    var random = SeededGenerator(seed: 16)
    let whole = proof(10)
    for _ in 0..<60 {
      var lines = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: lines.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where lines.count > 1: lines.remove(at: place)
        case 1: lines.insert(whole[Int.random(in: whole.indices, using: &random)], at: place)
        case 2: lines.swapAt(place, Int.random(in: lines.indices, using: &random))
        case 3: lines[place] = String(lines[place].shuffled(using: &random))
        default:
          var bytes = Array(lines[place].utf8)
          if !bytes.isEmpty {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 32..<127, using: &random)
          }
          lines[place] = String(decoding: bytes, as: UTF8.self)
        }
      }
      #expect((verdict(lines).outcome == .true) == (lines == whole))
    }
  }
}
