import CastProtocol
import CastqText
import Testing
@testable import CastqLink

@Suite("Bundles")
struct SiteBundleTests {
  private let now = WallTime(milliseconds: 1_800_000_000_000)

  private func bundle(
    _ revision: Int64 = 7, madeAfter seconds: Double = 0, appliesAt: WallTime? = nil, sites: [String] = [],
    names: [String] = ["a.mp4"], schedule: String = "programmes:\n  a: {source: media/a.mp4}\n"
  ) -> SiteBundle {
    SiteBundle(
      revision: revision, createdAt: now.adding(seconds: seconds), appliesAt: appliesAt, sites: sites,
      isWhole: true,
      schedule: schedule,
      media: names.map {
        SiteBundle.Medium(
          name: $0, source: "media/a.mp4", digest: String(repeating: "0f", count: 32), size: 5)
      })
  }

  private func read(_ text: String, isSigned: Bool = true) -> Result<SiteBundle, SiteBundle.Refusal> {
    Result { () throws(SiteBundle.Refusal) in
      try SiteBundle(file: Array(text.utf8), publicKey: "key") { signature, _ in
        isSigned && signature == "good"
      }
    }
  }

  private func code(_ text: String, isSigned: Bool = true) -> String? {
    if case .failure(let refusal) = read(text, isSigned: isSigned) { refusal.code } else { nil }
  }

  private func file(_ bundle: SiteBundle) -> String {
    SiteBundle.file(payload: bundle.payload, signature: "good", publicKey: "key")
  }

  @Test("a bundle is read as it was written")
  func roundTrip() throws {
    let whole = bundle(appliesAt: now.adding(seconds: 60), sites: ["berlin"])
    #expect(try read(file(whole)).get() == whole)
  }

  @Test("what the trusted key did not sign is refused before it is parsed")
  func signature() {
    #expect(code(file(bundle()), isSigned: false) == "bad_signature")
    #expect(code("{[not json\n{\"signature\":\"other\"}\n") == "bad_signature")
    #expect(code("") == "bad_bundle" && code("{}\n") == "bad_bundle")
    #expect(code(SiteBundle.file(payload: "{}", signature: "good", publicKey: "key")) == "bad_bundle")
  }

  @Test("there is one spelling for a bundle: words beside what is signed are refused")
  func spelling() {
    let payload = bundle().payload
    let seal = "{\"public_key\":\"key\",\"signature\":\"good\"}"
    #expect(code("\(payload)\n\(seal)\n") == nil)
    for hurt in [
      "\(payload)\n{\"public_key\":\"kez\",\"signature\":\"good\"}\n",
      "\(payload)\n{\"public_key\":null,\"signature\":\"good\"}\n",
      "\(payload)\n{\"signature\":\"good\"}\n",
      "\(payload)\n{\"signature\":\"good\",\"public_key\":\"key\"}\n",
      "\(payload)\n{\"public_key\":\"key\",\"signature\":\"good\",\"x\":1}\n",
      "\(payload)\n{\"public_key\":\"key\", \"signature\":\"good\"}\n",
      "\(payload)\n{\"public_key\":\"key\",\"signature\":\"g\\u006fod\"}\n",
      "\(payload)\n{\"public_key\":\"key\",\"signature\":\"good\",\"signature\":\"good\"}\n",
      "\(payload)\n\(seal)", "\(payload)\n\n\(seal)\n", "\n\(payload)\n\(seal)\n", "\(payload)\n\(seal)\n\n",
      "\(payload)\n\(seal) \n", "\(payload)\n \(seal)\n", "\(payload)\n\(seal)\r\n",
    ] {
      #expect(["bad_signature", "bad_bundle"].contains(code(hurt) ?? "none"), "\(hurt.suffix(80))")
    }
    // A byte that is no UTF-8 reads as U+FFFD does.
    let whole = Array(file(bundle(names: ["\u{FFFD}"])).utf8)
    var broken = whole
    let place = whole.indices.first { whole[$0] == 0xEF }
    if let place { broken.replaceSubrange(place..<place + 3, with: [0xFF]) }
    for (bytes, isWhole) in [(whole, true), (broken, false)] {
      let result = Result { () throws(SiteBundle.Refusal) in
        try SiteBundle(file: bytes, publicKey: "key") { signature, _ in signature == "good" }
      }
      #expect((try? result.get()) == nil || isWhole)
      #expect((try? result.get()) != nil || !isWhole)
    }
  }

  @Test(
    "a file of a bundle has a name that leads nowhere else",
    arguments: ["", "..", ".hidden", "a/b", "../x", "a\nb", String(repeating: "x", count: 201)])
  func names(name: String) { #expect(code(file(bundle(names: [name]))) == "bad_bundle") }

  @Test(
    "what was cut off or altered on its way is read again, and what the site lacks for a moment is tried again"
  )
  func remedies() {
    let cut = String(file(bundle()).dropLast(30))
    #expect(code(cut).map(BundleRemedy.init(against:)) == .anotherReading)
    #expect(code(file(bundle()), isSigned: false).map(BundleRemedy.init(against:)) == .anotherReading)
    for code in ["media", "unavailable", "input_output"] {
      #expect(BundleRemedy(against: code) == .anotherAttempt, "\(code)")
    }
    for code in ["schedule", "older", "another_site", "no_key", "what is not there yet"] {
      #expect(BundleRemedy(against: code) == .anotherBundle, "\(code)")
    }
  }

  @Test(
    "a file below media that the schedule names has to be one of the bundle's",
    arguments: [
      ("media/a.mp4", []), ("./media//a.mp4", []), ("media", []), ("media/b.mp4", ["b.mp4"]),
      ("media/x/a.mp4", ["x/a.mp4"]), ("media/../media/b.mp4", ["b.mp4"]), ("/srv/media/b.mp4", []),
      ("http://example.org/media/b.mp4", []), ("file:///srv/media/b.mp4", []),
    ] as [(String, [String])])
  func missing(source: String, missing: [String]) {
    for schedule in [
      "programmes: {p: \"\(source)\"}\n", "programmes:\n  p: {source: \"\(source)\", shuffle: true}\n",
      "rules:\n  r: {play: \"\(source)\", devices: lobby, always: true}\n",
    ] {
      #expect(bundle(schedule: schedule).missingMedia == missing, "\(schedule)")
      let mistakes = SiteBundle.mistakes(in: Array(schedule.utf8), file: "s.yaml", media: ["a.mp4"])
      #expect(mistakes.count == missing.count, "\(mistakes)")
    }
  }

  @Test("the mistakes of a schedule have their places; what the sites may have is none")
  func mistakes() {
    let schedule = """
      programmes: {p: media/b.mp4, q: {source: media/a.mp4, filler: of the site}}
      rules:
        r: {play: q, devices: lobby, daily: "99:00"}
        s: {play: of the site, devices: "@hall", daypart: breakfast, not_on: holidays}
      """
    let mistakes = SiteBundle.mistakes(in: Array(schedule.utf8), file: "s.yaml", media: ["a.mp4"])
    #expect(mistakes.map(\.line) == [1, 3] && mistakes.map(\.column) == [17, 39], "\(mistakes)")
    #expect(mistakes.first?.message == "`media/b.mp4` is none of the files of the bundle")
  }

  @Test("two files of one name are refused")
  func twice() { #expect(code(file(bundle(names: ["a", "a"]))) == "bad_bundle") }

  @Test(
    "an older bundle is applied on request alone, the same one never twice, and one for another site not at all"
  )
  func verdicts() {
    var state = BundleState()
    func verdict(_ bundle: SiteBundle, rollback: Bool = false) -> BundleState.Verdict {
      state.verdict(on: bundle, site: "berlin", isRollback: rollback, at: now)
    }
    func code(_ verdict: BundleState.Verdict) -> String? {
      if case .refuse(let refusal) = verdict { refusal.code } else { nil }
    }
    #expect(verdict(bundle()) == .apply)
    #expect(code(verdict(bundle(sites: ["paris"]))) == "another_site")
    #expect(verdict(bundle(sites: ["paris", "berlin"])) == .apply)
    let later = now.adding(seconds: 1)
    #expect(verdict(bundle(appliesAt: later)) == .wait(until: later))
    #expect(verdict(bundle(appliesAt: now)) == .apply)
    state.apply(bundle(7), at: now)
    #expect(verdict(bundle(7)) == .isApplied)
    #expect(code(verdict(bundle(6))) == "older")
    #expect(verdict(bundle(6), rollback: true) == .apply)
    state.apply(bundle(8), at: later)
    #expect(state.previous?.revision == 7)
    state.refuse(SiteBundle.Refusal("older", "because"), revision: 6, at: later)
    #expect(BundleState(json: state.json(site: "berlin")) == state)
    state.apply(bundle(9), at: later)
    #expect(state.refused == nil && state.applied?.revision == 9 && state.previous?.revision == 8)
  }

  private func code(_ state: BundleState, _ bundle: SiteBundle, rollback: Bool = false) -> String {
    switch state.verdict(on: bundle, site: "berlin", isRollback: rollback, at: now) {
    case .apply: "apply"
    case .isApplied: "is applied"
    case .wait: "wait"
    case .refuse(let refusal): refusal.code
    }
  }

  @Test("of two bundles of one revision the one that was made later is the newer one")
  func sameRevision() throws {
    var state = BundleState()
    state.apply(bundle(7), at: now)
    let second = bundle(7, madeAfter: 0.2)
    #expect(code(state, bundle(7)) == "is applied" && code(state, second) == "apply")
    state.apply(second, at: now)
    #expect(code(state, second) == "is applied" && code(state, bundle(7)) == "older")
    #expect(code(state, bundle(7), rollback: true) == "apply")
    #expect(BundleState(json: state.json(site: "berlin")) == state)
    // An older program noted no time: its revision alone counts.
    let older = BundleState(
      json: ["applied": ["revision": 7, "at": .string(RFC3339.text(now))], "previous": .null])
    #expect(code(older, second) == "is applied" && code(older, bundle(8)) == "apply")
  }

  @Test("who went back stays there until a bundle comes that is newer than all before")
  func withdrawn() throws {
    var state = BundleState()
    state.apply(bundle(7), at: now)
    state.apply(bundle(9), at: now)
    state.apply(bundle(7), at: now)
    for state in [state, BundleState(json: state.json(site: "berlin"))] {
      #expect(code(state, bundle(9)) == "withdrawn" && code(state, bundle(8)) == "withdrawn")
      #expect(code(state, bundle(6)) == "older" && code(state, bundle(7)) == "is applied")
      #expect(code(state, bundle(9), rollback: true) == "apply" && code(state, bundle(10)) == "apply")
    }
    // An older program has noted where somebody went back from.
    let older = BundleState(
      json: [
        "applied": ["revision": 7, "at": .string(RFC3339.text(now))],
        "previous": ["revision": 9, "at": .string(RFC3339.text(now))],
      ])
    #expect(code(older, bundle(9)) == "withdrawn" && code(older, bundle(10)) == "apply")
    state.apply(bundle(9), at: now)
    #expect(code(state, bundle(8)) == "older" && code(state, bundle(10)) == "apply")
  }
}
