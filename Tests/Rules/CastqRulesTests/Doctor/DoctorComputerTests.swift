import CastProtocol
import CastqFeeding
import CastqText
import Testing

/// What the doctor finds on the computer itself.
@Suite("What the doctor says of the computer")
struct DoctorComputerTests {
  private func line(_ verdict: DoctorVerdict) -> String {
    "\(verdict.grade.rawValue): \(verdict.words)" + (verdict.advice.map { "; \($0)" } ?? "")
  }

  private func media(
    _ server: MediaFinding.Server, _ fetch: MediaFinding.DeviceFetch = .notAsked, isAdvertised: Bool = false,
    origin: MediaFinding.PortOrigin = .stored, port: Int? = 8011
  ) -> [String] {
    MediaFinding(
      address: "192.0.2.5:8011", isAdvertised: isAdvertised, port: port, origin: origin,
      deviceHost: "192.0.2.9",
      server: server, deviceFetch: fetch
    ).verdicts.map(line)
  }

  private let opening = "let TCP port 8011 in, such as 'ufw allow from 192.0.2.9 to any port 8011 proto tcp'"

  @Test("the media server is judged by what another process got, and forgiven what the device disproves")
  func server() {
    let place = "http://192.0.2.5:8011"
    let table: [(MediaFinding.Server, MediaFinding.DeviceFetch, Bool, String)] = [
      (
        .fetchedBack, .notAsked, false,
        "ok: another process of this computer fetched from \(place), without a firewall in between"
      ),
      (
        .notFetched("refused"), .notAsked, false,
        "fail: \(place) cannot be fetched from this computer: refused; let this computer's own firewall pass it"
      ),
      (
        .notFetched("refused"), .nothingArrived, true,
        "fail: \(place) cannot be fetched from this computer: refused; correct --advertise (CASTQ_ADVERTISE, advertise: in the configuration), or what forwards it to port 8011 of this computer"
      ),
      (
        .otherContent, .notAsked, false,
        "fail: something else than castq answers at \(place); let this computer's own firewall pass it"
      ),
      (
        .notFetched("refused"), .played, true,
        "warn: \(place) cannot be fetched from this computer: refused; nothing, as long as the device fetches, which it did"
      ),
      (.noAddress("no route; check it"), .notAsked, false, "fail: no route; check it"),
      (
        .cannotListen("port 8011 is in use; choose another"), .notAsked, false,
        "fail: port 8011 is in use; choose another"
      ),
      (
        .notTried("no memory"), .notAsked, false,
        "warn: \(place) could not be tried: no memory; fetch a file from there by hand"
      ),
      (.unexamined, .notAsked, false, "skipped: the database is missing, which keeps its port"),
      (
        .idle, .nothingLately, false,
        "skipped: the running castq has served no file yet; run it again while a local file plays"
      ),
    ]
    for (server, fetch, isAdvertised, expected) in table {
      #expect(media(server, fetch, isAdvertised: isAdvertised).first == expected)
    }
  }

  @Test("what the device itself fetched")
  func device() {
    let broken = CastErrorSummary(CastError(.mediaLoadFailed, "it does not play; convert it"))
    let table: [(MediaFinding.DeviceFetch, String)] = [
      (.played, "ok: the device fetched a silent test sound from http://192.0.2.5:8011 and played it"),
      (.notPlayed(broken), "fail: it does not play; convert it"),
      (
        .nothingArrived,
        "fail: the device was given an address at http://192.0.2.5:8011, and no request arrived; \(opening)"
      ),
      (
        .lately(file: "a\u{7}.mp4", seconds: 61),
        "ok: the device fetched a.mp4 from the running castq, 61 s ago"
      ),
      (
        .lately(file: "a.mp4", seconds: 1200),
        "ok: the device fetched a.mp4 from the running castq, 20 min ago"
      ),
      (.nothingLately, "skipped: the device has fetched nothing from the running castq yet"),
      (.notAsked, "skipped: nothing was launched, so the device was not asked to fetch"),
    ]
    for (fetch, expected) in table { #expect(media(.fetchedBack, fetch)[1] == expected) }
    #expect(media(.notFetched("refused"), .nothingArrived)[1].hasSuffix("; mend the media server first"))
    #expect(media(.notFetched("refused"), .nothingArrived)[2].hasPrefix("ok: "))
  }

  @Test(
    "the firewall's line has the port, where it comes from, and how to open it while nothing proves that it is open"
  )
  func firewall() {
    let table: [(MediaFinding.PortOrigin, MediaFinding.DeviceFetch, String)] = [
      (.fixed, .notAsked, "ok: devices fetch at TCP port 8011, which is fixed; \(opening)"),
      (
        .stored, .nothingArrived,
        "warn: devices fetch at TCP port 8011, which this database keeps, and no request came in; \(opening)"
      ),
      (
        .stored, .played,
        "ok: devices fetch at TCP port 8011, which this database keeps, and the device has reached it"
      ),
      (
        .running, .lately(file: "a", seconds: 1),
        "ok: devices fetch at TCP port 8011 of the running castq, and the device has reached it"
      ),
      (
        .displaced(stored: 8010), .played,
        "warn: port 8010 of this database is in use, so files would be served at 8011; end the other feeder, use one 'castq daemon', or give each a --media-port of its own"
      ),
    ]
    for (origin, fetch, expected) in table {
      #expect(media(.fetchedBack, fetch, origin: origin)[2] == expected)
    }
    #expect(media(.idle, port: nil)[2] == "skipped: no port is in use for local files")
  }

  @Test("subtitles need their text, their type and the header that lets receivers read them")
  func subtitles() {
    func grade(_ type: String?, _ origin: String?, _ hasCues: Bool) -> (
      DoctorVerdict.Grade, CastqText.ExitStatus
    ) {
      let verdict = SubtitleFinding.fetched(contentType: type, allowedOrigin: origin, hasCues: hasCues)
        .verdict
      return (verdict.grade, verdict.exit)
    }
    #expect(grade("text/vtt; charset=utf-8", "*", true) == (.ok, .done))
    #expect(grade("text/plain", "*", true) == (.fail, .bug))
    #expect(grade(nil, "*", true) == (.fail, .bug))
    #expect(grade("text/vtt", nil, true) == (.fail, .bug))
    #expect(grade("text/vtt", "*", false) == (.fail, .bug))
    #expect(SubtitleFinding.notTried.verdict.grade == .skipped)
    #expect(SubtitleFinding.notFetched("refused").verdict.exit == .unreachable)
  }

  private func time(_ text: String) throws -> WallTime { try RFC3339.parse(text) }

  @Test("the clock has to be of this time, in step, and not before the device's certificate")
  func clock() throws {
    let now = try time("2026-11-23T08:00:00Z")
    let set = "'timedatectl set-ntp true', or install chrony"
    let table: [(WallTime, ClockFinding.State, String?, String)] = [
      (now, .synchronised(error: 0.2), nil, "ok: synchronised, to less than a second"),
      (now, .synchronised(error: 15.1), nil, "ok: synchronised, to 16 s"),
      (
        now, .unsynchronised, nil,
        "warn: nothing keeps this computer's clock in step, by which history and time windows go; \(set)"
      ),
      (now, .unknown, nil, "skipped: the system does not say whether its clock is synchronised"),
      (
        now, .synchronised(error: 0), "it begins tomorrow",
        "warn: the device's certificate is not valid at this time: it begins tomorrow; compare this computer's clock with another one"
      ),
      (
        try time("1970-01-01T00:00:07Z"), .unknown, nil,
        "fail: this computer's clock says 1970-01-01T00:00:07.000Z; set it: \(set)"
      ),
    ]
    for (now, state, problem, expected) in table {
      let finding = ClockFinding(now: now, state: state, certificateProblem: problem)
      #expect(line(finding.verdict) == expected)
    }
  }

  @Test("the disk needs space, a database without damage, and nobody who holds it")
  func disk() {
    let gone = Failure("cannot_create", "cannot create /q.db: no; check it", exit: .cannotCreate)
    func finding(
      _ state: DiskFinding.State, free: UInt64? = nil, prepared: UInt64? = nil, isReadOnly: Bool = false,
      feeders: [Int32] = []
    ) -> DoctorVerdict {
      DiskFinding(
        path: "/q.db", state: state, isReadOnly: isReadOnly, free: free, preparedFree: prepared,
        feeders: feeders
      ).verdict
    }
    let table: [(DoctorVerdict, String, CastqText.ExitStatus)] = [
      (finding(.intact, free: 4_210_000_000), "ok: the database is intact, 4.2 GB are free", .done),
      (
        finding(.intact, free: 42_000_000_000, prepared: 900_000_000, isReadOnly: true, feeders: [7, 8]),
        "ok: the database is intact, 42 GB are free, 900 MB for prepared files, this user may only read it, fed from by process 7 and 8",
        .done
      ),
      (
        finding(.unchecked),
        "ok: the database is too large for a quick check; 'castq db check' takes its time", .done
      ),
      (
        finding(.intact, free: 100_000_000), "warn: only 100 MB are free for the database; free some space",
        .done
      ),
      (
        finding(.intact, free: 1 << 40, prepared: 1000),
        "fail: only 1.0 kB are free for the prepared files; free some space",
        .inputOutput
      ),
      (
        finding(.damaged("page 4 is missing")),
        "fail: /q.db is damaged: page 4 is missing; 'castq db check' lists all problems; restore a backup",
        .inputOutput
      ),
      (
        finding(.locked),
        "fail: another program holds /q.db for writing; end it: 'fuser -v' on the file names it",
        .tryAgain
      ),
      (finding(.unusable(gone)), "fail: cannot create /q.db: no; check it", .cannotCreate),
    ]
    for (verdict, expected, exit) in table {
      #expect(line(verdict) == expected && verdict.exit == exit)
    }
  }

  @Test("programs that are missing, old or strange")
  func programs() throws {
    let now = try time("2026-11-23T08:00:00Z")
    let debian = "ffmpeg version 5.1.6-0+deb12u1 Copyright (c) 2000-2024 the FFmpeg developers"
    let table: [(ProgramFinding.Program, ProgramFinding.Answer, String)] = [
      (.ffmpeg, .line(debian), "ok: 5.1.6-0+deb12u1, of 2024"),
      (.ffprobe, .line("ffprobe version N-1-g2 Copyright"), "ok: N-1-g2"),
      (
        .ffmpeg, .line("ffmpeg version 2.8 Copyright (c) 2000-2015 the FFmpeg developers"),
        "warn: 2.8, of 2015; install a newer one: codecs of today may be missing"
      ),
      (
        .ffmpeg, .line("Segmentation \u{1B}[31mfault"),
        "warn: it does not say its version: Segmentation fault; check that it is the right program"
      ),
      (.ffmpeg, .notFound, "warn: not found: what a device cannot play is not converted; install ffmpeg"),
      (
        .ffprobe, .notFound,
        "warn: not found: lengths, codecs and covers of files are not known ahead; install ffmpeg, which has it"
      ),
      (.ytDlp, .notFound, "skipped: not found, and only pages of video sites need it"),
      (.ffprobe, .switchedOff, "skipped: it is switched off"),
      (
        .ffprobe, .misnamed("ffprobe: /x is no program"),
        "warn: ffprobe: /x is no program; correct `programs` in the configuration, or the variable"
      ),
      (.ytDlp, .line("2026.08.06"), "ok: 2026.08.06"),
      (.ytDlp, .line("2026.05.24.232655"), "ok: 2026.05.24"),
      (
        .ytDlp, .line("2026.05.23"),
        "warn: 2026.05.23 is 6 months old, which is the likely cause of pages that fail; update it: 'yt-dlp -U', or a newer package"
      ),
      (
        .ytDlp, .line("2026.13.01"),
        "warn: it does not say its version: 2026.13.01; check that it is the right program"
      ),
      (.ytDlp, .failed("killed"), "warn: it does not run: killed; install it again"),
    ]
    for (program, answer, expected) in table {
      #expect(line(ProgramFinding(program, answer, now: now).verdict) == expected)
    }
  }
}
