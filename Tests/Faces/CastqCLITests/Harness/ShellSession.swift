import Foundation
import Testing

/// A shell with job control on a terminal of its own, in which castq runs as it does for a person.
struct ShellSession {
  enum Step: Sendable {
    /// Waits until these words stand on the screen.
    case sees(String)
    case types(String)
    case resizes(columns: Int, rows: Int)
    /// Changes the size so often, as fast as it goes.
    case storm(Int)
    /// Sends a signal to what is in the foreground.
    case signals(String)
    /// Runs a command beside it, to its end.
    case runs(String)

    fileprivate var document: [String] {
      switch self {
      case .sees(let words): ["sees", words]
      case .types(let keys): ["types", keys]
      case .resizes(let columns, let rows): ["resizes", "\(columns)", "\(rows)"]
      case .storm(let count): ["storm", "\(count)"]
      case .signals(let name): ["signals", name]
      case .runs(let command): ["runs", command]
      }
    }
  }

  /// The terminal knows as much as castq and a shell need: places, clearing, line feeds, wide characters, and the other screen.
  private static let script = """
    import codecs, fcntl, json, os, pty, re, select, signal, struct, subprocess, sys, termios, time, unicodedata
    steps = json.loads(sys.argv[1])
    child, terminal = pty.fork()
    if child == 0:
        os.execv("/bin/bash", ["bash", "--norc", "--noprofile", "-i"])
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    output, rest, grid, row, column, height = "", "", {}, 0, 0, 24
    def size(columns, rows):
        global height
        height = rows
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    size(80, 24)
    def draw(text):
        global rest, grid, row, column
        rest += text
        while rest:
            found = re.match(r"\\x1b(?:\\[([0-9;?$<>=]*)([A-Za-z])|[()].|[=>78])", rest)
            if not found and rest[0] == "\\x1b":
                if len(rest) < 40: return
                rest = rest[1:]
                continue
            if found:
                rest = rest[found.end():]
                numbers = [int(n or 0) for n in (found[1] or "").split(";") if n.isdigit() or not n]
                if found[2] == "H": row, column = (numbers + [1, 1])[0] - 1, (numbers + [1, 1])[1] - 1
                elif found[2] == "G": column = (numbers or [1])[0] - 1
                elif found[2] == "K": grid = {k: v for k, v in grid.items() if k[0] != row or k[1] < column}
                elif found[2] == "J" and found[1] in ("", "0"): grid = {k: v for k, v in grid.items() if k < (row, column)}
                elif found[2] == "J" or found[1] == "?1049": grid = {}
                continue
            letter, rest = rest[0], rest[1:]
            if letter == "\\r": column = 0
            elif letter == "\\n": row += 1
            elif letter >= " ":
                grid[row, column] = letter
                column += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
    def shown():
        lines = {}
        for (y, x), letter in sorted(grid.items()): lines.setdefault(y, []).append((x, letter))
        text = []
        for y in sorted(lines):
            line = ""
            for x, letter in lines[y]: line += " " * (x - len(line)) + letter
            text.append(line)
        return "\\n".join(text)
    def read(limit):
        global output
        ready, _, _ = select.select([terminal], [], [], limit)
        if not ready: return
        try: piece = decoder.decode(os.read(terminal, 65536))
        except OSError: return time.sleep(0.01)
        output += piece
        draw(piece)
    failed = ""
    for step, *values in steps:
        if step == "sees":
            end = time.monotonic() + 240
            while values[0] not in shown() and time.monotonic() < end: read(0.2)
            if values[0] not in shown():
                failed = values[0]
                break
        elif step == "types": os.write(terminal, values[0].encode())
        elif step == "resizes": size(int(values[0]), int(values[1]))
        elif step == "storm":
            for number in range(int(values[0])):
                size(40 + number % 80, 10 + number % 30)
                read(0)
            size(80, 24)
        elif step == "runs": subprocess.run(["/bin/bash", "-c", values[0] + " >/dev/null 2>&1 </dev/null"], timeout=240)
        elif step == "signals": os.killpg(os.tcgetpgrp(terminal), getattr(signal, "SIG" + values[0]))
    json.dump({"failed": failed, "shown": shown(), "output": output}, sys.stdout)
    sys.stdout.flush()
    os.kill(child, signal.SIGKILL)
    """

  /// Everything that was written to the terminal.
  let output: String

  /// Runs the steps; fails the test with what stands on the terminal when words do not come.
  init(
    _ stage: Stage, _ steps: [Step], variables: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var environment = stage.environment
    environment["TERM"] = "xterm-256color"
    environment["PS1"] = "ready> "
    let folder = URL(filePath: try Programs.path("castq")).deletingLastPathComponent().path
    environment["PATH"] = "\(folder):/usr/bin:/bin"
    environment.merge(variables) { $1 }
    let document = String(decoding: try JSONEncoder().encode(steps.map(\.document)), as: UTF8.self)
    let python =
      FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
      ? "/usr/bin/python3" : "/usr/local/bin/python3"
    let program = try RunningProgram(
      python, ["-c", Self.script, document], environment: environment, folder: stage.folder)
    let ending = await program.ended()
    let answer = try Document(ending.stdout)
    output = answer["output"]?.string ?? ""
    #expect(
      answer["failed"]?.string == "", "\(answer["shown"]?.string?.suffix(3000) ?? "") \(ending.stderr)",
      sourceLocation: sourceLocation)
  }
}
