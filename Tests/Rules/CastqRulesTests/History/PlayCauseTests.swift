import CastqFeeding
import Testing

@Suite("Why a play ended")
struct PlayCauseTests {
  @Test("what ends as planned has no reason, and what is interrupted names what did")
  func words() {
    let cancelled = PlayReason(idleReason: "CANCELLED")
    for cause in [PlayCause.completed, .timeLimit, .ruleEnded] {
      #expect(
        PlayReason.words(cause, by: nil, cause == .completed ? nil : cancelled, unobserved: 0, attempt: 1)
          == nil)
    }
    #expect(PlayReason.words(.announcement, by: "gong", cancelled) == "interrupted by gong")
    #expect(PlayReason.words(.replaced, by: nil, cancelled) == "another list took its place")
    let failure = PlayReason(errorType: "LOAD_FAILED", note: "nothing listens at 127.0.0.1:9")
    #expect(PlayReason.words(.failed, by: nil, failure) == "LOAD_FAILED: nothing listens at 127.0.0.1:9")
    #expect(PlayReason.words(.failed, by: nil, failure, attempt: 2)?.hasSuffix("; try 2") == true)
    #expect(PlayReason.words(.completed, by: nil, nil, unobserved: 6.7) == "7 s of it were not observed")
    #expect(PlayReason.words(nil, by: nil, cancelled) == "CANCELLED", "a row of an older castq")
  }

  @Test("what took the place of a list is named by the decision that did")
  func replacement() {
    func play(_ kind: PlayKind, _ decision: Int64, _ name: String? = nil) -> PlaySchedule {
      PlaySchedule(kind: kind, name: name, decision: decision)
    }
    let gong = play(.announcement, 2, "gong")
    #expect(PlayCause.replacement(of: play(.base, 1), isOver: false, by: gong) == (.announcement, "gong"))
    #expect(PlayCause.replacement(of: play(.rule, 1), isOver: false, by: gong) == (.announcement, "gong"))
    #expect(
      PlayCause.replacement(of: play(.rule, 1), isOver: true, by: play(.rule, 2, "b")) == (.ruleEnded, nil))
    #expect(PlayCause.replacement(of: gong, isOver: false, by: play(.base, 3)) == (.ruleEnded, nil))
    #expect(PlayCause.replacement(of: play(.base, 1), isOver: false, by: play(.base, 1)) == (.replaced, nil))
    #expect(PlayCause.replacement(of: nil, isOver: false, by: gong) == (.replaced, nil))
  }
}
