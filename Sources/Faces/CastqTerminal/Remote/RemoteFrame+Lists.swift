import CastProtocol
import CastqText

extension RemoteFrame {
  private var top: Int { isComfortable ? 2 : 1 }
  private var bottom: Int { rows - (isComfortable ? 2 : 1) }
  private var listTop: Int { top + (isComfortable ? 2 : 1) }

  /// Draws the lines of a list around the selected one, as far as there is room for them.
  /// - Parameter draw: draws the line with an index in a row.
  private mutating func drawLines(_ count: Int, _ draw: (inout RemoteFrame, _ index: Int, _ row: Int) -> Void)
  {
    let visible = max(bottom - listTop, 1)
    let first = Self.firstRow(selected: machine.line, count: count, visible: visible)
    for (row, index) in (first..<max(first, min(first + visible, count))).enumerated() {
      draw(&self, index, listTop + row)
      if index == machine.line { select(row: listTop + row, to: columns) }
      touchable(.line(index), row: listTop + row, columns: 0..<columns)
    }
  }

  // MARK: - Devices

  mutating func drawChooser() {
    let devices = machine.devices
    let turn = signs.connecting[Int(bounded: now.sinceStart.seconds * 4) % signs.connecting.count]
    let column = put("Cast to", row: top, column: 1, style: .bold)
    if machine.isSearching {
      put("\(turn) searching", row: top, column: column + 2, style: .faint)
    }
    guard !devices.isEmpty else { return drawNoDevices(row: listTop) }
    drawLines(devices.count) { $0.draw(devices[$1], row: $2) }
  }

  mutating func drawTransfer() {
    put(
      "Move \(machine.status?.media?.title ?? "what plays") to", row: top, column: 1, limit: columns - 2,
      style: .bold)
    let devices = machine.otherDevices
    drawLines(devices.count) { $0.draw(devices[$1], row: $2) }
  }

  private mutating func draw(_ device: RemoteDevice, row: Int) {
    let isCurrent = device.id == machine.device
    let status =
      device.isLost
      ? "does not answer"
      : device.status.map { $0.lowercased().hasPrefix("casting") ? $0 : "Casting \($0)" }
    let width = isWide ? columns / 2 : columns - 4
    put(
      isCurrent ? signs.connected : device.status == nil ? signs.disconnected : signs.playing,
      row: row, column: 2, style: device.status != nil || isCurrent ? CellStyle(.green) : .faint)
    let column = put(device.name, row: row, column: 4, limit: width - 4, style: isCurrent ? .bold : .plain)
    if device.isGroup {
      put(" (group)", row: row, column: column, limit: max(width - column, 0), style: .faint)
    }
    if isWide, let status {
      put(status, row: row, column: width + 1, limit: columns - width - 2, style: .faint)
    }
  }

  /// Why there are none, and how to find out.
  private mutating func drawNoDevices(row: Int) {
    guard let problem = machine.searchProblem, !machine.isSearching else {
      put("Looking for devices on the network.", row: row, column: 1, limit: columns - 2, style: .faint)
      return
    }
    var line = row
    for words in DisplayWidth.wrapped("No device was found: \(problem)", columns: columns - 2)
    where line < bottom {
      put(words, row: line, column: 1, limit: columns - 2)
      line += 1
    }
    if line + 1 < bottom {
      put("castq doctor finds out more.", row: line + 1, column: 1, limit: columns - 2, style: .faint)
    }
  }

  // MARK: - Tracks

  mutating func drawTracks() {
    put("Audio and subtitles", row: top, column: 1, style: .bold)
    let choices = machine.trackChoices
    let hasText = choices.contains { $0?.kind == .text && $0?.isActive == true }
    drawLines(choices.count) { frame, index, row in
      let track = choices[index]
      if track?.isActive ?? !hasText {
        frame.put(frame.signs.active, row: row, column: 2, style: CellStyle(.green))
      }
      frame.put(track?.kind == .audio ? "audio" : "text", row: row, column: 4, style: .faint)
      frame.put(track?.label ?? "off", row: row, column: 11, limit: frame.columns - 12)
    }
  }

  mutating func drawStyles() {
    put("How subtitles look", row: top, column: 1, style: .bold)
    let styles = RemoteTextStyle.all
    drawLines(styles.count) {
      $0.put(styles[$1].name, row: $2, column: 4, limit: $0.columns - 5)
    }
  }

  // MARK: - Texts

  mutating func drawText(_ text: RemoteText) {
    let title =
      switch text {
      case .plan: "Plan"
      case .why: "Why this is shown"
      case .log: "What was played"
      case .help: "Keys"
      }
    let visible = max(Self.textRows(rows), 1)
    let start = top + 1
    guard let lines = text == .help ? RemoteKeys.lines : machine.textLines else {
      put(title, row: top, column: 1, style: .bold)
      put("\(signs.waiting)", row: start, column: 1, style: .faint)
      return
    }
    let column = put(title, row: top, column: 1, style: .bold)
    if lines.count > visible {
      let last = min(machine.line + visible, lines.count)
      put("\(machine.line + 1)-\(last) of \(lines.count)", row: top, column: column + 2, style: .faint)
    }
    if lines.isEmpty { put("nothing", row: start, column: 1, style: .faint) }
    for (offset, line) in lines.dropFirst(machine.line).prefix(visible).enumerated()
    where start + offset < bottom {
      let isHead = text == .help && !line.hasPrefix(" ")
      put(line, row: start + offset, column: 1, limit: columns - 2, style: isHead ? CellStyle(.cyan) : .plain)
    }
  }
}
