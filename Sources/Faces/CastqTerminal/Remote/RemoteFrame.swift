import CastProtocol
import CastqFeeding
import CastqText

/// What a press on a place of the screen means.
enum RemoteTouch: Sendable, Hashable {
  case key(TerminalKey.Name)
  /// A part of the length, 0 to 1.
  case seek(Double)
  /// 0 to 100.
  case volume(Int)
  /// A row of the queue.
  case row(Int)
  /// A line of a list.
  case line(Int)
  case suggestion(Int)
}

/// The remote as a screen, and what each place of it means when it is pressed.
struct RemoteFrame {
  private(set) var screen: Screen
  let machine: RemoteMachine
  let now: Tick
  private var touches: [(row: Int, columns: Range<Int>, touch: RemoteTouch)] = []

  /// Below this height, what can be missed is left out.
  static let comfortableRows = 16
  /// Below this width, words become signs.
  static let comfortableColumns = 60

  init(_ machine: RemoteMachine, at now: Tick) {
    self.machine = machine
    self.now = now
    screen = Screen(columns: machine.columns, rows: machine.rows, isUnicode: machine.signs.isUnicode)
    drawHeader()
    switch machine.view {
    case .chooser: drawChooser()
    case .controller: drawController()
    case .tracks: drawTracks()
    case .transfer: drawTransfer()
    case .styles: drawStyles()
    case .text(let text): drawText(text)
    }
    drawFooter()
  }

  func touch(row: Int, column: Int) -> RemoteTouch? {
    touches.last { $0.row == row && $0.columns.contains(column) }?.touch
  }

  var columns: Int { screen.columns }
  var rows: Int { screen.rows }
  var signs: RemoteGlyphs { machine.signs }
  var isComfortable: Bool { Self.isComfortable(rows) }
  var isWide: Bool { columns >= Self.comfortableColumns }

  static func isComfortable(_ rows: Int) -> Bool { rows >= comfortableRows }

  /// Rows of a text between the header and the footer.
  static func textRows(_ rows: Int) -> Int { isComfortable(rows) ? rows - 5 : rows - 3 }

  /// Columns and rows of a picture beside the queue; nil where there is no room for one.
  static func artworkSize(_ columns: Int, _ rows: Int) -> (columns: Int, rows: Int)? {
    guard columns >= 100, rows >= 24 else { return nil }
    return (columns: 32, rows: 16)
  }

  /// The column from which on something stands beside the queue; nil where there is no room.
  static func asideStart(_ columns: Int, _ rows: Int) -> Int? {
    columns >= 110 && isComfortable(rows) ? columns - max(columns * 2 / 5, 44) : nil
  }

  // MARK: - Drawing

  mutating func touchable(_ touch: RemoteTouch, row: Int, columns: Range<Int>) {
    touches.append((row, columns, touch))
  }

  @discardableResult
  mutating func put(
    _ text: String, row: Int, column: Int, limit: Int? = nil, style: CellStyle = .plain
  ) -> Int {
    screen.put(text, row: row, column: column, limit: limit, style: style)
  }

  /// A text that ends at a column.
  mutating func putRight(_ text: String, row: Int, end: Int, style: CellStyle = .plain) {
    put(text, row: row, column: max(end - Screen.width(text), 0), style: style)
  }

  mutating func restyle(row: Int, from start: Int, to end: Int, _ style: (CellStyle) -> CellStyle) {
    screen.restyle(row: row, from: start, to: end, style)
  }

  /// The selected row of a list: reversed, and with a sign for whoever sees no colours.
  mutating func select(row: Int, to end: Int) {
    put(signs.cursor, row: row, column: 0)
    restyle(row: row, from: 0, to: end) { $0.selected }
  }

  mutating func setCursor(row: Int, column: Int) { screen.cursor = (row, min(column, columns - 1)) }

  mutating func rule(row: Int) {
    put(String(repeating: signs.rule, count: columns), row: row, column: 0, style: .faint)
  }

  mutating func paint(_ cells: [[Screen.Cell]], row: Int, column: Int) {
    for (offset, line) in cells.enumerated() {
      var place = column
      for cell in line {
        put(cell.text, row: row + offset, column: place, limit: cell.width, style: cell.style)
        place += max(cell.width, 1)
      }
    }
  }

  // MARK: - Header and footer

  /// The Cast button with its state, always in the upper left corner; the volume on the right.
  private mutating func drawHeader() {
    let (sign, word, style) = castState
    var column = put(sign, row: 0, column: 1, style: style)
    let name = machine.device == nil ? "castq" : machine.deviceName
    let status = machine.shownStatus(at: now)
    let volume = status?.volume.map { configuredText($0) + volumeText($0) }
    let room = columns - 3 - (volume.map { Screen.width($0) + 3 } ?? 0)
    column = put(name, row: 0, column: column + 1, limit: isWide ? room / 2 : room, style: .bold)
    touchable(.key(.character("D")), row: 0, columns: 0..<column)
    if isWide {
      let application = status?.application.map { " \(signs.separator) \($0)" } ?? ""
      put("\(word)\(application)", row: 0, column: column + 2, limit: room - column + 1, style: .faint)
    }
    if let volume, let level = status?.volume {
      putRight(volume, row: 0, end: columns - 1, style: level.isMuted ? .faint : .plain)
      if isWide {
        let start = columns - 1 - Screen.width(volumeText(level))
        for step in 0..<10 {
          touchable(.volume((step + 1) * 10), row: 0, columns: (start + step)..<(start + step + 1))
        }
      }
    }
    if isComfortable { rule(row: 1) }
  }

  private var castState: (sign: String, word: String, style: CellStyle) {
    guard machine.device != nil else { return (signs.disconnected, "not connected", .faint) }
    switch machine.status?.connection {
    case nil, .connecting:
      let turn = Int(bounded: now.sinceStart.seconds * 4)
      return (signs.connecting[turn % signs.connecting.count], "connecting", CellStyle(.yellow))
    case .connected: return (signs.connected, "connected", CellStyle(.green))
    case .offline: return (signs.disconnected, "offline", CellStyle(.red))
    }
  }

  /// A level that is not the device's own is never set unseen.
  private func configuredText(_ volume: RemoteStatus.Volume) -> String {
    guard isWide, let configured = volume.configured else { return "" }
    return "configured \(configured)%  "
  }

  private func volumeText(_ volume: RemoteStatus.Volume) -> String {
    let number = volume.isMuted ? "muted" : volume.isFixed ? "fixed" : "\(volume.level)%"
    guard isWide else { return number }
    let full = volume.isMuted ? 0 : min(max((volume.level + 5) / 10, 0), 10)
    let bar = String(repeating: signs.full, count: full) + String(repeating: signs.empty, count: 10 - full)
    return bar + String(repeating: " ", count: 6 - min(number.utf8.count, 5)) + number
  }

  /// The last line: what is typed, what is asked or noted, else the keys.
  private mutating func drawFooter() {
    let last = rows - 1
    if isComfortable { rule(row: last - 1) }
    if let prompt = machine.prompt { return drawPrompt(prompt, row: last) }
    if let note = machine.note {
      draw(note, row: last)
    } else if !machine.isIntroduced {
      put(
        isWide
          ? "castq plays your queue on a screen nearby; ? lists the keys."
          : "Plays your queue on a screen; ? keys", row: last, column: 1, limit: columns - 2,
        style: CellStyle(.cyan))
    } else if let pending = machine.pending {
      put("\(pending) \(signs.waiting)", row: last, column: 1, limit: columns - 2, style: CellStyle(.yellow))
    } else {
      drawHints(hints, row: last)
    }
  }

  /// A note that is longer than the last line takes the lines above it, so that what to do about it can be read.
  private mutating func draw(_ note: RemoteMachine.Note, row last: Int) {
    let style = note.isError ? CellStyle(.red) : .plain
    let lines = DisplayWidth.wrapped(note.text, columns: columns - 2)
    let first = max(last - min(lines.count, 3) + 1, 0)
    for (offset, line) in lines.prefix(3).enumerated() where first + offset <= last {
      let isCut = offset == 2 && lines.count > 3
      put(String(repeating: " ", count: columns), row: first + offset, column: 0)
      put(
        isCut ? "\(line) \(signs.waiting)" : line, row: first + offset, column: 1, limit: columns - 2,
        style: style)
    }
  }

  private mutating func drawPrompt(_ prompt: RemoteMachine.Prompt, row: Int) {
    let label =
      switch prompt.kind {
      case .find: "find: "
      case .add(let isNext): isNext ? "play next: " : "add: "
      case .announce: "announce: "
      }
    let column = put(label, row: row, column: 1, style: CellStyle(.cyan))
    let keys = isWide ? promptKeys(prompt) : ""
    putRight(keys, row: row, end: columns - 1, style: .faint)
    // The end of a long text is what is typed now.
    var text = prompt.text[...]
    let room = max(columns - column - 2 - (keys.isEmpty ? 0 : Screen.width(keys) + 2), 1)
    while Screen.width(String(text)) > room, !text.isEmpty { text = text.dropFirst() }
    let end = put(String(text), row: row, column: column, limit: room)
    setCursor(row: row, column: end)
  }

  private func promptKeys(_ prompt: RemoteMachine.Prompt) -> String {
    guard prompt.kind == .find else {
      return "enter \(prompt.kind == .announce ? "announces" : "adds")   esc back"
    }
    let found = machine.matches.map { "\($0.count) of \(machine.queueRows.count)   " } ?? ""
    return "\(found)enter goes there   esc back"
  }

  private var hints: [(key: String, word: String, name: TerminalKey.Name)] {
    switch machine.view {
    case .chooser:
      [
        ("enter", "choose", .enter), ("?", "help", .character("?")),
        ("q", machine.device == nil ? "leave" : "back", .escape),
      ]
    case .controller: controllerHints
    case .tracks, .styles: [("enter", "choose", .enter), ("q", "back", .escape)]
    case .transfer: [("enter", "move there", .enter), ("q", "back", .escape)]
    case .text: [("j k", "scroll", .down), ("q", "back", .escape)]
    }
  }

  /// Columns between two hints.
  private var gap: Int { isWide ? 3 : 2 }

  private typealias Hint = (key: String, word: String, name: TerminalKey.Name)

  /// What can be done now, first with what plays, or with the selected entry where that is another one. The help and the way out are always there.
  private var controllerHints: [(key: String, word: String, name: TerminalKey.Name)] {
    let media = machine.shownStatus(at: now)?.media
    let selected = machine.selectedRow
    let isOther = selected.map { $0.entry != media?.entry } ?? false
    var hints: [Hint] = []
    if let media {
      if media.ad?.skippableIn != nil { hints.append(("x", "skip ad", .character("x"))) }
      let word = media.isLive && media.state != .paused ? "stop" : media.state == .paused ? "play" : "pause"
      hints.append(("space", word, .character(" ")))
    } else if selected != nil {
      hints.append(("space", "play", .character(" ")))
    }
    if isWide, isOther, let selected, machine.isSelecting {
      hints.append(("enter", selected.state == .failed ? "try again" : "play it", .enter))
      hints.append(("d", "remove", .character("d")))
      hints.append(("J", "move down", .character("J")))
    }
    if media != nil { hints.append(("n", "next", .character("n"))) }
    hints.append(("a", "add", .character("a")))
    let ends: [Hint] = [("?", "help", .character("?")), ("q", "leave", .character("q"))]
    guard isWide else { return fitting(hints, before: ends) + ends }
    if media != nil {
      hints.append(("s", "stop", .character("s")))
    } else if machine.status?.application != nil {
      hints.append(("S", "stop casting", .character("S")))
    }
    hints += [besideHint ?? ("P", "plan", .character("P")), ("D", "devices", .character("D"))]
    if media?.tracks.isEmpty == false { hints.append(("t", "subtitles", .character("t"))) }
    if media != nil, !machine.otherDevices.isEmpty { hints.append(("T", "move to", .character("T"))) }
    if machine.queueRows.count > 1 { hints.append(("/", "find", .character("/"))) }
    hints += [
      ("!", "announce", .character("!")), ("L", "log", .character("L")), ("w", "why", .character("w")),
    ]
    return fitting(hints, before: ends) + ends
  }

  /// What the key for the place beside the queue shows next; nil where there is no room for that place.
  private var besideHint: Hint? {
    guard Self.asideStart(columns, rows) != nil else { return nil }
    return (
      "v", machine.aside == nil ? "plan" : machine.aside == .plan ? "log" : "whole queue", .character("v")
    )
  }

  /// The first hints for which there is room before the last ones.
  private func fitting(_ hints: [Hint], before ends: [Hint]) -> [Hint] {
    func width(_ hint: Hint) -> Int { Screen.width(hint.key) + 1 + Screen.width(hint.word) + gap }
    var room = columns - 1 - ends.reduce(0) { $0 + width($1) } + gap
    return Array(
      hints.prefix { hint in
        room -= width(hint)
        return room > 0
      })
  }

  private mutating func drawHints(_ hints: [(key: String, word: String, name: TerminalKey.Name)], row: Int) {
    var column = 1
    for hint in hints {
      let width = Screen.width(hint.key) + 1 + Screen.width(hint.word)
      guard column + width < columns else { return }
      let end = put(hint.key, row: row, column: column, style: .bold)
      put(hint.word, row: row, column: end + 1, style: .faint)
      touchable(.key(hint.name), row: row, columns: column..<(column + width))
      column += width + gap
    }
  }
}
