import CastProtocol
import CastqFeeding
import CastqText
import Testing

/// Findings in, verdicts out: each rule of the doctor with the line it gives.
@Suite("What the doctor says of what it found")
struct DoctorVerdictTests {
  /// `grade: words; advice`.
  private func line(_ verdict: DoctorVerdict) -> String {
    "\(verdict.grade.rawValue): \(verdict.words)" + (verdict.advice.map { "; \($0)" } ?? "")
  }

  private func problem(_ code: String, _ message: String) -> MulticastFinding.Problem {
    MulticastFinding.Problem(code: code, message: message)
  }

  @Test("multicast is judged by who was heard, and never fails")
  func multicast() {
    let byHand = "'castq device add NAME HOST' needs no discovery"
    let table: [(Int, Bool?, [MulticastFinding.Problem], Bool, String)] = [
      (3, true, [], false, "ok: 3 devices answered, this one among them"),
      (1, nil, [problem("cannot_send", "eth1 is full")], false, "ok: one device answered"),
      (
        2, false, [], false,
        "warn: 2 devices answered, this one did not; check that it is on, and in the same network as this computer; its last address is used meanwhile"
      ),
      (
        0, false, [], false,
        "warn: no device answered; check that a device is on, and in this network; let UDP port 5353 pass, which VLANs, guest networks and firewalls block; \(byHand)"
      ),
      (
        0, nil, [], true,
        "warn: no device answered; check that a device is on, and in this network; give the container the computer's network (network_mode: host); \(byHand)"
      ),
      (
        0, nil, [problem("no_interface", "no interface is up; connect to a network")], false,
        "warn: no interface is up; connect to a network"
      ),
      (
        0, nil, [problem("cannot_listen", "port 5353 is taken")], false, "warn: port 5353 is taken; \(byHand)"
      ),
      (0, nil, [problem("switched_off", "discovery is off")], false, "skipped: discovery is off"),
    ]
    for (heard, device, problems, isInContainer, expected) in table {
      let finding = MulticastFinding(
        heard: heard, heardDevice: device, problems: problems, isInContainer: isInContainer)
      #expect(line(finding.verdict) == expected)
    }
  }

  @Test(
    "a connection that failed is told at the part of the path where it did, with the exit code of the contract",
    arguments: [
      (CastError.Code.hostUnknown, "fail skipped skipped", CastqText.ExitStatus.unreachable),
      (.connectionRefused, "fail skipped skipped", .unreachable),
      (.networkNotReachable, "fail skipped skipped", .unreachable),
      (.networkError, "fail skipped skipped", .unreachable),
      (.secureTransportError, "ok fail skipped", .unreachable),
      (.protocolError, "ok fail skipped", .unreachable),
      (.deviceAuthenticationFailure, "ok ok fail", .notPermitted),
      (.malformedAuthenticationResponse, "ok ok fail", .notPermitted),
    ])
  func stages(code: CastError.Code, grades: String, exit: CastqText.ExitStatus) {
    let finding = ConnectionFinding(
      endpoint: "192.0.2.1:8009", typedLabel: "lobby",
      outcome: .failed(CastErrorSummary(CastError(code, "it went wrong; mend it"))))
    #expect(finding.verdicts.map(\.grade.rawValue).joined(separator: " ") == grades)
    let report = DoctorReport(finding.verdicts)
    #expect(report.exit == exit && finding.silence == nil)
    #expect(report.verdicts.first { $0.grade == .fail }.map(line) == "fail: it went wrong; mend it")
  }

  @Test("a device that is connected and silent has no fault of the path: it does not answer")
  func silence() {
    let finding = ConnectionFinding(
      endpoint: "192.0.2.1:8009", typedLabel: "lobby",
      outcome: .failed(CastErrorSummary(CastError(.timeout, "it says nothing"))), proof: .notRequired)
    #expect(finding.verdicts.map(\.grade) == [.ok, .ok, .skipped])
    let advice = CastError.Code.timeout.advice
    #expect(finding.silence.map(line) == "fail: it says nothing; \(advice)")
    #expect(finding.silence?.check == .launch && finding.silence?.exit == .unreachable)
  }

  @Test("a device that answers, but that its feeder has left, is told with what the feeder met")
  func feederLeft() {
    var finding = ConnectionFinding(
      endpoint: "192.0.2.1:8009", typedLabel: "lobby", outcome: .answered, proof: .notRequired)
    finding.feederProblem = "lobby sent more than 200 messages a second for 5 s and was left; restart it"
    #expect(
      finding.verdicts.map(line).first
        == "warn: 192.0.2.1:8009 accepts connections, but what feeds it is not connected: "
        + "lobby sent more than 200 messages a second for 5 s and was left; restart it")
    #expect(DoctorReport(finding.verdicts).exit == .done)
  }

  @Test("a device that is unknown, and rules that cannot be used, are told with their own exit codes")
  func noDevice() {
    let unknown = Failure("device_unknown", "no device is called cellar; add it", exit: .deviceUnknown)
    let finding = ConnectionFinding(endpoint: "", typedLabel: "", outcome: .none(unknown))
    #expect(finding.verdicts.map(line).first == "fail: no device is called cellar; add it")
    #expect(finding.verdicts.dropFirst().allSatisfy { $0.grade == .skipped })
    #expect(DoctorReport(finding.verdicts).exit == .deviceUnknown)
    let untried = ConnectionFinding(endpoint: "", typedLabel: "", outcome: .notTried)
    #expect(untried.verdicts.allSatisfy { $0.grade == .skipped })
  }

  @Test("what a device proved")
  func proofs() {
    let refusal = CastErrorSummary(CastError(.deviceAuthenticationFailure, "another key; be careful"))
    let table: [(ConnectionFinding.Proof?, Bool, String)] = [
      (.pinned(key: "0123456789abcdef"), true, "ok: it proved its pinned key, 01234567…"),
      (.roots, false, "ok: its certificate leads to one of the given roots"),
      (.unpinned(isGroup: true), false, "ok: it proved the key of the group's leader, which is not pinned"),
      (.unpinned(isGroup: false), false, "ok: it proved a key, which was not stored"),
      (.notRequired, false, "skipped: no proof is required of this device"),
      (
        .cannot, false,
        "warn: it cannot prove who it is, and is used anyway; accept that with 'castq device pin lobby --off', if the device is the right one"
      ),
      (
        .silent, false,
        "warn: it leaves the challenge unanswered, and is used anyway; restart the device, or accept that with 'castq device pin lobby --off'"
      ),
      (
        .refused(refusal), true,
        "fail: another key; 'castq device unpin lobby' forgets the pinned key, if the device was replaced"
      ),
      (.refused(refusal), false, "fail: another key; be careful"),
      (nil, false, "skipped: the device was not reached"),
    ]
    for (proof, isPinned, expected) in table {
      let finding = ConnectionFinding(
        endpoint: "192.0.2.1:8009", typedLabel: "lobby", isPinned: isPinned, outcome: .answered, proof: proof)
      #expect(finding.verdicts.last.map(line) == expected)
    }
  }

  @Test("a screen that somebody uses is never a fault, and a refused launch is")
  func launches() {
    let refusal = CastErrorSummary(
      CastError(.applicationNotFound, "it does not know CC1AD845; check it", receiverReason: "NOT_FOUND"))
    let table: [(LaunchFinding, String, CastqText.ExitStatus)] = [
      (.notReached, "skipped: the device was not reached", .done),
      (
        .busy("You\u{1B}[2JTube"),
        "skipped: YouTube runs and keeps the screen; run it again when that has ended, to try a launch", .done
      ),
      (
        .fed,
        "skipped: a castq feeds this device or may begin to, and is not disturbed; 'castq doctor --launch' tries one, if nothing plays",
        .done
      ),
      (
        .quietHours,
        "skipped: the configuration has quiet hours now; 'castq doctor --launch' launches anyway", .done
      ),
      (.notWanted, "skipped: --no-launch was given", .done),
      (.notReserved("no space"), "skipped: nothing was launched: no space", .done),
      (.overtaken("Netflix"), "skipped: Netflix came first and keeps the screen", .done),
      (
        .launched("CC1AD845", seconds: 1.234), "ok: CC1AD845 was launched within 1.2 s, and closed again",
        .done
      ),
      (.failed(refusal), "fail: it does not know CC1AD845 (NOT_FOUND); check it", .refused),
    ]
    for (finding, expected, exit) in table {
      #expect(line(finding.verdict) == expected)
      #expect(DoctorReport([finding.verdict]).exit == exit)
    }
  }

  @Test(
    "the report has the order of the checks, the exit code of its first failure, and names each check once")
  func report() throws {
    let verdicts = [
      DiskFinding(path: "/q.db", state: .locked).verdict, LaunchFinding.notWanted.verdict,
      SubtitleFinding.notFetched("refused").verdict, ClockFinding(now: .latest, state: .unknown).verdict,
    ]
    let report = DoctorReport(verdicts)
    #expect(report.verdicts.map(\.check) == [.launch, .subtitles, .clock, .disk])
    #expect(report.exit == .unreachable)
    let first = try #require(report.json().array?.first)
    #expect(
      first == ["check": "launch", "verdict": "skipped", "words": "--no-launch was given", "advice": .null])
    #expect(DoctorReport([]).exit == .done)
    #expect(Set(DoctorCheck.allCases.map(\.rawValue)).count == 15)
  }
}
