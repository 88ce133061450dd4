import CastProtocol
import CastqFeeding
import CastqText
import Testing

/// The doctor for people who have no terminal before them.
@Suite("What the doctor says in a page")
struct PagedVerdictTests {
  private static let unknown = Failure(
    "device_unknown", "no device lobby is known", hint: .findDevice, exit: .deviceUnknown)

  private static let verdicts: [DoctorVerdict] =
    [
      DiskFinding(path: "/q.db", state: .damaged("page 4")).verdict,
      DiskFinding(path: "/q.db", state: .unchecked).verdict,
      DiskFinding(
        path: "/q.db",
        state: .unusable(Failure("corrupt", "/q.db is damaged", hint: .checkDatabase, exit: .inputOutput))
      )
      .verdict,
      LaunchFinding.fed.verdict, LaunchFinding.quietHours.verdict, LaunchFinding.notWanted.verdict,
      MulticastFinding(heard: 0, heardDevice: nil, problems: [], isInContainer: false).verdict,
      MulticastFinding(
        heard: 0, heardDevice: nil, problems: [.init(code: "socket", message: "no socket")],
        isInContainer: true
      )
      .verdict,
    ]
    + [ConnectionFinding.Proof.cannot, .silent].flatMap {
      ConnectionFinding(endpoint: "192.0.2.9:8009", typedLabel: "lobby", outcome: .answered, proof: $0)
        .verdicts
    }
    + ConnectionFinding(endpoint: "", typedLabel: "", outcome: .none(unknown)).verdicts
    + MediaFinding(
      address: "192.0.2.5:8011", port: 8011, origin: .displaced(stored: 8010), server: .fetchedBack
    )
    .verdicts

  @Test("no command and no option stands in a page, and the terminal has them")
  func noCommands() {
    let report = DoctorReport(Self.verdicts)
    let (typed, paged) = (report.json().text, report.json(isPaged: true).text)
    #expect(typed.contains("'castq device pin lobby --off'") && typed.contains("'castq db check'"))
    #expect(!paged.contains("'castq"), "\(paged)")
    #expect(!paged.contains("--"), "\(paged)")
    #expect(paged.contains("no device lobby is known") && paged.contains("restore a backup"))
  }
}
