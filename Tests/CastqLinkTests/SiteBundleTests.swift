import CastProtocol
import CastqCore
import Testing

@testable import CastqLink

@Suite("Bundles")
struct SiteBundleTests {
  private let now = WallTime(milliseconds: 1_800_000_000_000)

  private func bundle(
    _ revision: Int64 = 7, appliesAt: WallTime? = nil, sites: [String] = [], names: [String] = ["a.mp4"]
  ) -> SiteBundle {
    SiteBundle(
      revision: revision, createdAt: now, appliesAt: appliesAt, sites: sites, isWhole: true,
      schedule: "programmes:\n  a: {source: media/a.mp4}\n",
      media: names.map {
        SiteBundle.Medium(
          name: $0, source: "media/a.mp4", digest: String(repeating: "0f", count: 32), size: 5)
      })
  }

  private func read(_ text: String, isSigned: Bool = true) -> Result<SiteBundle, SiteBundle.Refusal> {
    Result { () throws(SiteBundle.Refusal) in
      try SiteBundle(file: Array(text.utf8)) { signature, _ in isSigned && signature == "good" }
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
    #expect(code("{}\n{\"signature\":\"good\"}\n") == "bad_bundle")
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
    state.apply(7, at: now)
    #expect(verdict(bundle(7)) == .isApplied)
    #expect(code(verdict(bundle(6))) == "older")
    #expect(verdict(bundle(6), rollback: true) == .apply)
    state.apply(8, at: later)
    #expect(state.previous?.revision == 7)
    state.refuse(SiteBundle.Refusal("older", "because"), revision: 6, at: later)
    #expect(BundleState(json: state.json(site: "berlin")) == state)
    state.apply(9, at: later)
    #expect(state.refused == nil && state.applied?.revision == 9 && state.previous?.revision == 8)
  }
}
