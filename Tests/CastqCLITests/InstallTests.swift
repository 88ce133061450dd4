import Foundation
import Testing

@Suite("What is installed", .timeLimit(.minutes(6)))
struct InstallTests {
  /// Runs a script of bash in the clone.
  private func bash(_ stage: Stage, _ script: String, _ variables: [String: String] = [:]) async throws
    -> Ending
  {
    var environment = stage.environment
    environment["BIN"] = URL(filePath: try Programs.path("castq")).deletingLastPathComponent().path
    environment["CLONE"] = Programs.clone.path
    environment.merge(variables) { $1 }
    return try await RunningProgram(
      "/bin/bash", ["-euo", "pipefail", "-c", script], environment: environment, folder: stage.folder
    ).ended()
  }

  @Test(
    "programs, manual pages, completions and units come below the prefix, and the units call the program there"
  )
  func install() async throws {
    try await Stage.with { stage in
      let ending = try await bash(
        stage,
        """
        "$CLONE/scripts/man" "$BIN/castq" man
        DESTDIR=$PWD/root PREFIX=/opt/castq "$CLONE/scripts/install" "$BIN" "$PWD/man"
        cd root/opt/castq
        test -x bin/castq -a -x bin/castq-web -a -x bin/castq-receiver-sim
        ls share/man/man1/castq.1 share/man/man1/castq-remote.1 share/bash-completion/completions/castq \
          share/zsh/site-functions/_castq share/fish/vendor_completions.d/castq.fish lib/sysusers.d/castq.conf
        grep -h ^ExecStart= lib/systemd/{system,user}/castq{,-web,-mpd}.service
        """)
      #expect(ending.exit == 0, "\(ending.stderr)")
      #expect(
        ["daemon", "web", "mpd"].allSatisfy { face in
          ending.outLines.filter { $0 == "ExecStart=/opt/castq/bin/castq \(face)" }.count == 2
        },
        "\(ending.stdout)")
    }
  }

  @Test("nothing is installed of what was not built")
  func unbuilt() async throws {
    try await Stage.with { stage in
      let ending = try await bash(stage, #"DESTDIR=$PWD/root "$CLONE/scripts/install" "$PWD/none" man"#)
      #expect(ending.exit == 1 && ending.stderr.contains("run: make release"), "\(ending.stderr)")
      #expect(access("\(stage.folder)/root", F_OK) != 0)
    }
  }

  private static let man = access("/usr/bin/man", X_OK) == 0

  @Test(
    "each command has a manual page without a warning, with its options",
    .enabled(if: man, "man-db is missing"))
  func manual() async throws {
    try await Stage.with { stage in
      let ending = try await bash(
        stage,
        """
        "$CLONE/scripts/man" "$BIN/castq" man
        for page in man/*.1; do man --warnings -l "$page" 2>>warnings >/dev/null; done
        cat warnings
        ls man | wc -l
        MANWIDTH=200 man -l man/castq-seek.1
        MANWIDTH=200 man -l man/castq-schedule.1
        """, ["LC_ALL": "C.UTF-8"])
      #expect(ending.exit == 0, "\(ending.stderr)")
      #expect(ending.outLines.first.flatMap(Int.init) ?? 0 > 40, "\(ending.stdout.prefix(500))")
      #expect(ending.stdout.contains("castq seek [option ...] position"))
      #expect(ending.stdout.contains("--daily hh:mm-hh:mm"))
    }
  }

  /// As bash does when a person presses the tab key behind these words.
  private static let completion = """
    source <(castq completion bash)
    complete() { COMP_LINE=$1; COMP_POINT=${#1}; read -ra COMP_WORDS <<<"$1"; [[ $1 == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _castq castq "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; printf '%s;' "${COMPREPLY[@]}"; echo; }
    """

  private func names(_ stage: Stage) async throws {
    try await stage.castq("device", "add", "lobby", "127.0.0.1:1")
    try await stage.castq("device", "add", "kitchen", "127.0.0.1:2")
    try await stage.castq("group", "add", "upstairs", "kitchen")
    try await stage.castq("programme", "add", "breakfast", try stage.playlist(tones: 1, seconds: 1))
  }

  @Test("bash completes the devices, groups and programmes there are now")
  func bashCompletion() async throws {
    try await Stage.with { stage in
      try await names(stage)
      let ending = try await stage.shell(
        Self.completion
          + "\ncomplete 'castq pause -d '; complete 'castq pause -d l'; complete 'castq programme show '; complete 'castq group rm '; complete 'castq re'"
      ).ended()
      let lines = ending.outLines.map { Set($0.split(separator: ";").map(String.init)) }
      #expect(lines.count == 5, "\(ending.stdout) \(ending.stderr)")
      guard lines.count == 5 else { return }
      #expect(lines[0] == ["kitchen", "lobby", "@all", "@upstairs"])
      #expect(lines[1] == ["lobby"])
      #expect(lines[2] == ["breakfast"])
      #expect(lines[3] == ["upstairs"])
      #expect(lines[4].isSuperset(of: ["remove", "remote", "report", "repeat"]))
    }
  }

  @Test("without a database nothing is completed, made or said")
  func noDatabase() async throws {
    try await Stage.with { stage in
      let ending = try await stage.shell(Self.completion + "\ncomplete 'castq pause -d '").ended()
      #expect(ending.stdout == ";\n" && ending.stderr.isEmpty, "\(ending.stdout) \(ending.stderr)")
      #expect(access(stage.database, F_OK) != 0)
    }
  }

  private static let fish = access("/usr/bin/fish", X_OK) == 0

  @Test("fish understands its completions", .enabled(if: fish, "fish is missing"))
  func fishCompletion() async throws {
    try await Stage.with { stage in
      let ending = try await stage.shell("castq completion fish > castq.fish; fish --no-execute castq.fish")
        .ended()
      #expect(ending.exit == 0 && ending.stderr.isEmpty, "\(ending.stderr)")
    }
  }
}
