import Foundation
import Testing

/// A shell in a terminal that people use, driven as they do: keys are typed, the window is resized, and what is read is what stands on
/// the screen.
struct RealTerminal {
  enum Kind: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case tmux
    /// xterm, on a screen of its own that nobody sees.
    case xterm

    var testDescription: String { rawValue }

    /// The programs that it takes.
    private var programs: [String] { self == .tmux ? ["tmux"] : ["xterm", "Xvfb", "xdotool"] }
    var isHere: Bool { programs.allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 } }
    static let here = allCases.filter(\.isHere)
  }

  enum Step: Sendable {
    /// Waits until these words stand on the screen.
    case sees(String)
    case types(String)
    case resizes(columns: Int, rows: Int)

    fileprivate var document: [String] {
      switch self {
      case .sees(let words): ["sees", words]
      case .types(let keys): ["types", keys]
      case .resizes(let columns, let rows): ["resizes", "\(columns)", "\(rows)"]
      }
    }
  }

  private static let script = #"""
    import json, os, pathlib, subprocess, sys, time
    kind, steps = sys.argv[1], json.loads(sys.argv[2])
    shell = ["/bin/bash", "--norc", "--noprofile", "-i"]
    def run(*words): return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    class Tmux:
        def __init__(self):
            os.environ["TMUX_TMPDIR"] = os.getcwd()
            self.do("new-session", "-d", "-x", "80", "-y", "24", *shell)
        def do(self, *words): return run("tmux", "-f", "/dev/null", "-L", "t", *words)
        def shown(self): return self.do("capture-pane", "-p")
        def types(self, text):
            for letter in text: self.do("send-keys", "Enter") if letter in "\r\n" else self.do("send-keys", "-l", letter.replace(";", "\\;"))
        def resizes(self, columns, rows): self.do("resize-window", "-x", columns, "-y", rows)
        def close(self): self.do("kill-server")
    class XTerm:
        def __init__(self):
            reading, writing = os.pipe()
            self.server = subprocess.Popen(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], pass_fds=[writing],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            os.environ["DISPLAY"] = ":" + os.read(reading, 20).decode().strip()
            self.page = pathlib.Path("page")
            os.environ.pop("TERM", None)
            self.xterm = subprocess.Popen(
                ["xterm", "-u8", "-geometry", "80x24+0+0", "-xrm", "XTerm*printAttributes: 0", "-xrm", "XTerm*printerAutoClose: true",
                 "-xrm", f"XTerm*printerCommand: cat >{self.page}.new && mv {self.page}.new {self.page}",
                 "-e", "sh", "-c", 'tty >tty.new && mv tty.new tty; exec "$0" "$@"', *shell],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait(lambda: os.path.exists("tty"))
            self.line = open(pathlib.Path("tty").read_text().strip(), "wb", buffering=0)
            self.window = run("xdotool", "search", "--sync", "--onlyvisible", "--class", "xterm").split()[0]
            run("xdotool", "mousemove", "100", "100")
        # The screen as xterm prints it when it is asked to (MC).
        def shown(self):
            self.page.unlink(missing_ok=True)
            self.line.write(b"\x1b[i")
            wait(self.page.exists)
            return self.page.read_text(errors="replace") if self.page.exists() else ""
        def types(self, text):
            for part in text.replace("\r", "\n").splitlines(keepends=True):
                if part.rstrip("\n"): run("xdotool", "type", "--delay", "5", part.rstrip("\n"))
                if part.endswith("\n"): run("xdotool", "key", "Return")
        def resizes(self, columns, rows): run("xdotool", "windowsize", "--usehints", self.window, columns, rows)
        def close(self):
            for child in (self.xterm, self.server): child.kill(), child.wait()
    def wait(condition):
        end = time.monotonic() + 240
        while not condition():
            if time.monotonic() > end: return False
            time.sleep(0.05)
        return True
    terminal = Tmux() if kind == "tmux" else XTerm()
    failed = ""
    try:
        for step, *values in steps:
            if step == "sees":
                if not wait(lambda: values[0] in terminal.shown()):
                    failed = values[0]
                    break
            else: getattr(terminal, step)(*values)
        json.dump({"failed": failed, "shown": terminal.shown()}, sys.stdout)
    finally: terminal.close()
    """#

  /// What stands on the screen at the end.
  let shown: String

  /// Runs the steps; fails the test with what stands on the screen when words do not come.
  init(_ kind: Kind, _ stage: Stage, _ steps: [Step], sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    var environment = stage.environment
    environment["PS1"] = "ready> "
    environment["TERM"] = "xterm-256color"
    environment["LC_ALL"] = "C.UTF-8"
    let folder = URL(filePath: try Programs.path("castq")).deletingLastPathComponent().path
    environment["PATH"] = "\(folder):/usr/bin:/bin"
    let document = String(decoding: try JSONEncoder().encode(steps.map(\.document)), as: UTF8.self)
    let python =
      FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
      ? "/usr/bin/python3" : "/usr/local/bin/python3"
    let ending = try await RunningProgram(
      python, ["-c", Self.script, kind.rawValue, document], environment: environment, folder: stage.folder
    ).ended()
    #expect(ending.exit == 0, "\(ending.stderr)", sourceLocation: sourceLocation)
    let answer = try Document(ending.stdout)
    shown = answer["shown"]?.string ?? ""
    #expect(answer["failed"]?.string == "", "\(shown)", sourceLocation: sourceLocation)
  }
}
