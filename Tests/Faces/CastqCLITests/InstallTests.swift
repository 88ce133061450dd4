import Foundation
import Testing

@Suite("What is installed", .timeLimit(.minutes(20)))
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
          share/zsh/site-functions/_castq share/fish/vendor_completions.d/castq.fish \
          lib/{sysusers,tmpfiles}.d/castq.conf share/man/man5/castq-playlist.5 share/man/man7/castq-schedule.7
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
        "$CLONE/scripts/man" "$BIN/castq" man "$BIN/castq-receiver-sim"
        cp "$CLONE"/docs/man/* man
        for page in man/*; do man --warnings -l "$page" 2>>warnings >/dev/null; done
        cat warnings
        ls man | wc -l
        MANWIDTH=200 man -l man/castq-seek.1
        MANWIDTH=200 man -l man/castq-schedule.1
        MANWIDTH=200 man -l man/castq-receiver-sim.1
        """, ["LC_ALL": "C.UTF-8"])
      #expect(ending.exit == 0, "\(ending.stderr)")
      #expect(ending.outLines.first.flatMap(Int.init) ?? 0 > 40, "\(ending.stdout.prefix(500))")
      #expect(ending.stdout.contains("castq seek [option ...] position"))
      #expect(ending.stdout.contains("--daily hh:mm-hh:mm"))
      #expect(
        ending.stdout.contains("Simulates Google Cast receivers")
          && ending.stdout.contains("--behaviour name"))
    }
  }

  @Test("docs/commands.md has each command, argument and option as the program's help has them")
  func commandsPage() async throws {
    try await Stage.with { stage in
      let ending = try await bash(
        stage, #""$CLONE/scripts/commands" "$BIN/castq" | diff "$CLONE/docs/commands.md" -"#)
      #expect(ending.exit == 0, "run: make commands\n\(ending.stdout)\(ending.stderr)")
    }
  }

  /// A page of the manual that is written by hand, without its markup.
  private func page(_ name: String) throws -> String {
    try String(contentsOf: Programs.clone.appending(path: "docs/man/\(name)"), encoding: .utf8)
      .replacing("\\-", with: "-")
  }

  private func words(_ text: String) -> Set<Substring> {
    Set(text.split { !($0.isLetter || $0.isNumber || "_-".contains($0)) })
  }

  @Test("castq-playlist(5) has every field of the format")
  func playlistPage() throws {
    let page = words(try page("castq-playlist.5"))
    let schema = try String(
      contentsOf: Programs.clone.appending(path: "playlists/castq.schema.json"), encoding: .utf8)
    var fields: Set<String> = []
    func read(_ node: Document) {
      fields.formUnion(node["properties"]?.keys ?? [])
      for key in node.keys { node[key].map(read) }
      node.elements.forEach(read)
    }
    read(try Document(schema))
    // The names on the wire stand beside castq's own.
    fields = fields.filter { !$0.contains(where: \.isUppercase) }
    #expect(fields.count > 80)
    #expect(fields.filter { !page.contains($0[...]) } == [])
  }

  @Test("castq-schedule(7) has every key of a schedule in a file")
  func schedulePage() async throws {
    try await Stage.with { stage in
      let page = words(try page("castq-schedule.7"))
      // The reader names the keys that it has.
      let file = try stage.file(
        "site.yaml",
        "zzzzzz: 1\nrules: {a: {zzzzzz: 1}}\nshares: {a: {zzzzzz: 1}}\ndayparts: {a: {zzzzzz: 1}}\nprogrammes: {a: {zzzzzz: 1}}\n"
      )
      let ending = try await stage.castq("schedule", "apply", file)
      let keys = ending.stderr.matches(of: /the keys are ([a-z_, ]+)/).flatMap { $0.1.split(separator: ", ") }
      #expect(Set(keys).count > 25, "\(ending.stderr)")
      #expect(Set(keys).filter { !page.contains($0) } == [])
    }
  }

  @Test(
    "zsh, fish and bash complete what a person types, with the names that there are",
    arguments: ["zsh", "fish", "bash"].filter { access("/usr/bin/\($0)", X_OK) == 0 })
  func shells(shell: String) async throws {
    try await Stage.with { stage in
      try await names(stage)
      try await stage.castq("device", "add", "evil$(touch pwned)`touch pwned`'s TV", "127.0.0.1:3")
      let start =
        switch shell {
        case "zsh":
          "castq completion zsh >_castq; PS1='zs''h> ' zsh -f\n"
        case "fish":
          "castq completion fish >castq.fish; fish --no-config\n"
        default: "source <(castq completion bash)\n"
        }
      let prepared: [ShellSession.Step] =
        switch shell {
        case "zsh":
          [
            .sees("zsh> "),
            .types("fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; PS1='pre''pared> '\n"),
            .sees("prepared> "),
          ]
        case "fish":
          [.types("source castq.fish; echo pre''pared\n"), .sees("prepared")]
        default: [.types("echo pre''pared\n"), .sees("\nprepared")]
        }
      // Another prompt, which stands there when the shell reads keys again: zsh may lose what is typed before that.
      func next(_ number: Int) -> [ShellSession.Step] {
        shell == "fish"
          ? [.types("\u{15}clear\n")]
          : [.types("\u{15}PS1='st''ep\(number)> '; clear\n"), .sees("step\(number)>")]
      }
      let completed: [(String, String)] = [
        ("castq pause -d lo", "castq pause -d lobby"),
        ("castq programme show br", "castq programme show breakfast"),
        ("castq schedule show mo", "castq schedule show mornings"), ("castq rem", "castq remo"),
        ("castq -d lo", "castq -d lobby"), ("castq -d lobby paus", "castq -d lobby pause"),
        ("castq -d lobby queue --no-d", "castq -d lobby queue --no-daemon"),
        ("castq -d lobby programme show br", "castq -d lobby programme show breakfast"),
        ("castq help sche", "castq help schedule"), ("castq help web tok", "castq help web token"),
      ]
      _ = try await ShellSession(
        stage,
        [.sees("ready> "), .types(start)] + prepared
          + completed.enumerated().flatMap { number, step in
            [ShellSession.Step.types(step.0 + "\t"), .sees(step.1)] + next(number)
          }
          // What the network calls a device is a word and no command.
          + [
            .types("castq device show ev\t"), .sees("pwned"), .types("\n"), .sees("127.0.0.1:3"),
          ])
      #expect(access("\(stage.folder)/pwned", F_OK) != 0)
    }
  }

  /// As bash does when a person presses the tab key behind these words.
  private static let completion = """
    source <(castq completion bash)
    complete() { COMP_LINE=$1; COMP_POINT=${#1}; read -ra COMP_WORDS <<<"$1"; [[ $1 == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _castq castq "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"; printf '%s;' "${COMPREPLY[@]}"; echo; }
    """

  private func names(_ stage: Stage) async throws {
    try stage.add(device: "lobby", at: "127.0.0.1:1")
    try stage.add(device: "kitchen", at: "127.0.0.1:2")
    try await stage.castq("group", "add", "upstairs", "kitchen")
    try await stage.castq("programme", "add", "breakfast", try stage.playlist(tones: 1, seconds: 1))
    try await stage.castq("schedule", "add", "mornings", "--play", "breakfast", "-d", "lobby", "--always")
  }

  /// What bash completes of these lines, a set of words for each; one shell does it for all of them.
  private func completed(_ stage: Stage, _ lines: [String]) async throws -> [Set<String>] {
    let asked = lines.map { "complete '\($0)'" }.joined(separator: "; ")
    let ending = try await stage.shell("\(Self.completion)\n\(asked)").ended()
    #expect(ending.stderr.isEmpty, "\(ending.stderr)")
    let words = ending.outLines.map { Set($0.split(separator: ";").map(String.init)) }
    try #require(words.count == lines.count, "\(ending.stdout)")
    return words
  }

  private func expect(_ stage: Stage, _ offered: [(line: String, words: Set<String>)]) async throws {
    let found = try await completed(stage, offered.map(\.line))
    for (words, offered) in zip(found, offered) { #expect(words == offered.words, "\(offered.line)") }
  }

  @Test("bash completes the devices, groups, programmes and rules there are now")
  func bashCompletion() async throws {
    try await Stage.with { stage in
      try await names(stage)
      try await expect(
        stage,
        [
          ("castq pause -d ", ["kitchen", "lobby", "@all", "@upstairs"]), ("castq pause -d l", ["lobby"]),
          ("castq programme show ", ["breakfast"]), ("castq group rm ", ["upstairs"]),
          ("castq schedule rm ", ["mornings"]),
        ])
      let commands = try await completed(stage, ["castq re"])
      #expect(commands[0].isSuperset(of: ["remove", "remote", "report", "repeat"]))
    }
  }

  @Test("bash completes global options before a command, and what stands behind them")
  func leadingOptions() async throws {
    try await Stage.with { stage in
      try await names(stage)
      try await expect(
        stage,
        [
          ("castq -d l", ["lobby"]), ("castq -q --device ki", ["kitchen"]),
          ("castq --js", ["--json", "--jsonl"]),
          ("castq -d lobby --js", ["--json", "--jsonl"]), ("castq -d lobby paus", ["pause"]),
          ("castq -d lobby queue --js", ["--json", "--jsonl"]), ("castq -d lobby queue -d ki", ["kitchen"]),
          ("castq -d 127.0.0.1 : 8009 queue --js", ["--json", "--jsonl"]),
          ("castq -d lobby programme sh", ["show"]), ("castq -d lobby programme show b", ["breakfast"]),
          ("castq -q web token a", ["add"]),
        ])
    }
  }

  @Test("bash completes the names of commands behind help, and no arguments of theirs")
  func help() async throws {
    try await Stage.with { stage in
      try await names(stage)
      try await expect(
        stage,
        [
          ("castq help sch", ["schedule"]), ("castq help schedule ena", ["enable"]),
          ("castq help web token a", ["add"]), ("castq help pause ", []), ("castq help programme show ", []),
          ("castq help db -", ["--version"]),
        ])
    }
  }

  @Test("bash completes files where a command takes them")
  func files() async throws {
    let commands = [
      "cast", "cast -d lobby other.mp4", "run", "-d lobby enqueue", "check", "import", "programme add x",
      "schedule apply", "schedule import", "calendar import x", "report verify", "report proof -o",
      "db backup", "plan --diff",
    ]
    try await Stage.with { stage in
      try stage.file("menus.m3u", "")
      try await expect(stage, commands.map { ("castq \($0) men", ["menus.m3u"]) })
    }
  }

  @Test("without a database nothing is completed, made or said")
  func noDatabase() async throws {
    try await Stage.with { stage in
      try await expect(stage, [("castq pause -d ", [])])
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
