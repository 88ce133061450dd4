import CastProtocol
import CastqFeeding
import CastqPlaylists
import CastqText

extension RemoteFrame {
  /// Seconds before the end from which on what is next is announced.
  static let announcement = 30.0

  /// The first row below the media.
  private static func queueStart(_ rows: Int) -> Int { isComfortable(rows) ? 8 : rows >= 9 ? 4 : 3 }

  /// Rows of the queue that are visible.
  static func queueRows(_ machine: RemoteMachine) -> Int {
    max(machine.rows - queueStart(machine.rows) - (isComfortable(machine.rows) ? 2 : 1), 0)
  }

  mutating func drawController() {
    let status = machine.shownStatus(at: now)
    if let media = status?.media {
      draw(media)
    } else {
      drawDarkness(status)
    }
    drawQueue(status)
    if let start = asideStart { drawAside(from: start, status) }
    if let artwork = machine.artwork, artwork.address == status?.media?.image,
      let size = Self.artworkSize(columns, rows)
    {
      paint(artwork.cells, row: Self.queueStart(rows), column: columns - size.columns - 1)
    }
    if !machine.suggestions.isEmpty || machine.prompt != nil { drawSuggestions() }
  }

  // MARK: - Media

  private mutating func draw(_ media: RemoteMedia) {
    let top = isComfortable ? 2 : 1
    let title = media.ad.map { "\($0.label) \(signs.separator) \(media.title)" } ?? media.title
    put(title, row: top, column: 1, limit: columns - 2, style: .bold)
    if isComfortable, let subtitle = media.subtitle {
      put(subtitle, row: top + 1, column: 1, limit: columns - 2, style: .faint)
    }
    drawProgress(media, row: isComfortable ? top + 2 : top + 1)
    if rows >= 9 { drawNext(media, row: isComfortable ? top + 4 : top + 2) }
  }

  private func sign(of media: RemoteMedia) -> (String, CellStyle) {
    switch media.state {
    case .playing, .showing: (signs.playing, CellStyle(.green))
    case .paused: (signs.paused, CellStyle(.yellow))
    case .buffering, .loading: (signs.waiting, CellStyle(.yellow))
    }
  }

  /// Elapsed on the left, the whole on the right; live media and unknown lengths have no bar.
  private mutating func drawProgress(_ media: RemoteMedia, row: Int) {
    let (sign, style) = sign(of: media)
    var column = put(sign, row: row, column: 1, style: style) + 1
    touchable(.key(.character(" ")), row: row, columns: 0..<column)
    let word: String? =
      switch media.state {
      case .playing: media.isLive ? "LIVE" : nil
      case .paused: media.isLive ? "paused" : nil
      case .buffering: "buffering"
      case .loading: "loading"
      case .showing: "showing"
      }
    if let word { column = put(word, row: row, column: column, style: style) + 1 }
    if let ad = media.ad {
      return drawAd(ad, media, row: row, column: column)
    }
    guard let position = media.position(at: now) else { return }
    column = put(ClockText.format(position), row: row, column: column) + 1
    guard !media.isLive, let duration = media.duration, duration > 0 else { return }
    let rate = abs(media.rate - 1) > 0.01 ? "  \(Self.rate(media.rate))\(signs.times)" : ""
    let total = ClockText.format(duration) + rate
    putRight(total, row: row, end: columns - 1)
    let width = columns - 2 - Screen.width(total) - column
    guard width >= 4 else { return }
    drawBar(
      min(max(position / duration, 0), 1), ads: media.adMarks.map { $0 / duration }, row: row, column: column,
      width: width)
  }

  /// - Parameters:
  ///   - fraction: the played part, 0 to 1.
  ///   - ads: where ads interrupt it; what is outside of 0 to 1 is left out.
  private mutating func drawBar(_ fraction: Double, ads: [Double], row: Int, column: Int, width: Int) {
    let done = min(Int(bounded: (fraction * Double(width)).rounded(.down)), width - 1)
    put(String(repeating: signs.done, count: done), row: row, column: column, style: CellStyle(.green))
    put(
      String(repeating: signs.left, count: max(width - done - 1, 0)), row: row, column: column + done + 1,
      style: .faint)
    for ad in ads where (0...1).contains(ad) {
      let place = min(Int(bounded: (ad * Double(width)).rounded(.down)), width - 1)
      put(signs.adMark, row: row, column: column + place, style: CellStyle(.yellow))
    }
    put(signs.knob, row: row, column: column + done, style: CellStyle(.green, bold: true))
    for step in 0..<width {
      touchable(
        .seek((Double(step) + 0.5) / Double(width)), row: row, columns: (column + step)..<(column + step + 1))
    }
  }

  private mutating func drawAd(_ ad: RemoteMedia.Ad, _ media: RemoteMedia, row: Int, column: Int) {
    guard let skippable = ad.skippableIn else {
      put("the programme continues after the ad", row: row, column: column, style: .faint)
      return
    }
    let left = Int(bounded: max(skippable - (now - media.at).seconds, 0).rounded(.up))
    let end = put(left > 0 ? "skip in \(left) s" : "x skips the ad", row: row, column: column)
    touchable(.key(.character("x")), row: row, columns: column..<end)
  }

  /// What is next; in the last half minute also when, and what can be done about it.
  private mutating func drawNext(_ media: RemoteMedia, row: Int) {
    if media.entry == nil, let waiting = machine.status?.waiting {
      // Somebody else has the screen.
      put(waiting, row: row, column: 1, limit: columns - 2, style: CellStyle(.yellow))
      return
    }
    guard let entry = machine.queue?.next, let next = machine.queueRows.first(where: { $0.entry == entry })
    else {
      return
    }
    guard let left = media.remaining(at: now), left <= Self.announcement, media.ad == nil else {
      let column = put("next  ", row: row, column: 1, style: .faint)
      put(next.title, row: row, column: column, limit: columns - column - 1, style: .faint)
      return
    }
    let seconds = Int(bounded: max(left, 0).rounded(.up))
    let column = put("next in \(seconds) s  ", row: row, column: 1, style: CellStyle(.cyan))
    let keys = isWide ? "n plays it now   s stops" : ""
    let room = columns - column - 2 - (keys.isEmpty ? 0 : keys.utf8.count + 2)
    put(next.title, row: row, column: column, limit: room, style: .bold)
    if !keys.isEmpty { putRight(keys, row: row, end: columns - 1, style: .faint) }
  }

  /// Nothing is on the screen: why, and what can be done.
  private mutating func drawDarkness(_ status: RemoteStatus?) {
    let top = isComfortable ? 2 : 1
    let words: String
    switch status?.connection {
    case nil, .connecting: words = "Connecting to \(machine.deviceName) \(signs.waiting)"
    case .offline: words = "\(machine.deviceName) does not answer"
    case .connected:
      words = status?.application.map { "\($0) is open, and nothing plays" } ?? "Nothing is playing"
    }
    put(words, row: top, column: 1, limit: columns - 2, style: .bold)
    if let waiting = status?.waiting {
      put(waiting, row: top + 1, column: 1, limit: columns - 2, style: .faint)
    }
    if isComfortable, status?.connection != .connected, let title = machine.controlled?.lastTitle {
      put("last seen: \(title)", row: top + 2, column: 1, limit: columns - 2, style: .faint)
    }
  }

  // MARK: - Beside the queue

  private var asideStart: Int? {
    machine.aside == nil ? nil : Self.asideStart(columns, rows)
  }

  /// The plan or the log, below the picture where there is one.
  private mutating func drawAside(from start: Int, _ status: RemoteStatus?) {
    var row = Self.queueStart(rows)
    let end = rows - 2
    let title = machine.aside == .log ? " Log " : " Plan "
    put(title, row: row - 1, column: start + 2, style: .faint)
    touchable(.key(.character("v")), row: row - 1, columns: start..<columns)
    for line in row..<end { put(signs.divider, row: line, column: start, style: .faint) }
    if hasPicture(status), let size = Self.artworkSize(columns, rows) { row += size.rows + 1 }
    guard let lines = machine.controlled?.asideLines else {
      if row < end { put(signs.waiting, row: row, column: start + 2, style: .faint) }
      return
    }
    if lines.isEmpty, row < end {
      put(
        machine.aside == .log ? "nothing was played" : "nothing is planned", row: row, column: start + 2,
        limit: columns - start - 3, style: .faint)
    }
    for line in lines.prefix(max(end - row, 0)) {
      put(line, row: row, column: start + 2, limit: columns - start - 3)
      row += 1
    }
  }

  private func hasPicture(_ status: RemoteStatus?) -> Bool {
    machine.artwork.map { $0.address == status?.media?.image } ?? false
  }

  // MARK: - Queue

  private mutating func drawQueue(_ status: RemoteStatus?) {
    let start = Self.queueStart(rows)
    let visible = Self.queueRows(machine)
    let entries = machine.queueRows
    if isComfortable { drawQueueHead(entries, row: start - 1) }
    guard visible > 0 else { return }
    guard !entries.isEmpty else {
      guard machine.queue != nil else { return }
      put("The queue is empty.", row: start, column: 1, limit: columns - 2, style: .faint)
      if visible > 1 {
        let column = put("a", row: start + 1, column: 1, style: .bold)
        put(
          "adds a file, a folder, a list or an address", row: start + 1, column: column + 1,
          limit: columns - column - 2, style: .faint)
        touchable(.key(.character("a")), row: start + 1, columns: 0..<columns)
      }
      return
    }
    // What is being found stands there alone.
    let found = machine.matches
    if found?.isEmpty == true {
      put("No entry has this in its title.", row: start, column: 1, limit: columns - 2, style: .faint)
    }
    let count = found?.count ?? entries.count
    let selected = found.map { $0.firstIndex(of: machine.selectedIndex) ?? 0 } ?? machine.selectedIndex
    let first = Self.firstRow(selected: selected, count: count, visible: visible)
    let end = listEnd(status)
    let digits = "\(entries.count)".utf8.count
    for offset in 0..<min(visible, count - first) {
      let index = found?[first + offset] ?? first + offset
      draw(entries[index], index: index, row: start + offset, digits: digits, end: end, status)
    }
  }

  /// The column before what stands beside the queue, or the right edge.
  private func listEnd(_ status: RemoteStatus?) -> Int {
    if let start = asideStart { return start - 1 }
    guard hasPicture(status), let size = Self.artworkSize(columns, rows) else { return columns }
    return columns - size.columns - 2
  }

  /// `1.5`, `2`: two decimals at most.
  private static func rate(_ rate: Double) -> String {
    DecimalText.text(rate.isFinite ? (min(max(rate, 0), 99) * 100).rounded() / 100 : 1)
  }

  private mutating func drawQueueHead(_ entries: [RemoteRow], row: Int) {
    rule(row: row)
    guard let queue = machine.queue else { return }
    var words = entries.isEmpty ? " Queue" : entries.count == 1 ? " 1 entry" : " \(entries.count) entries"
    if !entries.isEmpty, let length = queue.length {
      words += " \(signs.separator) \(ClockText.format(length))"
    }
    if queue.repeatMode != .off { words += " \(signs.separator) repeat \(queue.repeatMode.rawValue)" }
    if queue.isShuffled { words += " \(signs.separator) shuffled" }
    put(words + " ", row: row, column: 3, limit: columns - 6, style: .faint)
  }

  /// The selected row stands in the middle where the list is longer than the screen.
  static func firstRow(selected: Int, count: Int, visible: Int) -> Int {
    min(max(selected - visible / 2, 0), max(count - visible, 0))
  }

  private mutating func draw(
    _ entry: RemoteRow, index: Int, row: Int, digits: Int, end: Int, _ status: RemoteStatus?
  ) {
    let isCurrent = status?.media?.entry.map { $0 == entry.entry } ?? (entry.state == .playing)
    let style: CellStyle =
      isCurrent
      ? CellStyle(.green) : entry.state == .failed ? CellStyle(.red) : entry.state.isEnded ? .faint : .plain
    if isCurrent { put(signs.mark, row: row, column: 1, style: style) }
    let number = "\(index + 1)"
    putRight(number, row: row, end: 3 + digits, style: isCurrent ? style : .faint)
    let state = Self.word(of: entry.state)
    let length = entry.length.map(ClockText.format) ?? ""
    let lengthEnd = end - 1
    let stateEnd = lengthEnd - 8
    var limit = lengthEnd - max(Screen.width(length), 0) - 2 - (4 + digits)
    putRight(length, row: row, end: lengthEnd, style: isCurrent ? style : .faint)
    if isWide {
      putRight(state, row: row, end: stateEnd, style: isCurrent || entry.state == .failed ? style : .faint)
      limit = stateEnd - 12 - (4 + digits)
    }
    let title = entry.problem.map { "\(entry.title): \($0)" } ?? entry.title
    put(title, row: row, column: 4 + digits, limit: limit, style: style)
    if index == machine.selectedIndex { select(row: row, to: end) }
    touchable(.row(index), row: row, columns: 0..<end)
  }

  /// The state in a word that adds something: what is about to play needs none.
  private static func word(of state: EntryState) -> String {
    switch state {
    case .pending, .offered, .queued: ""
    case .playing: "playing"
    case .finished: "played"
    case .failed, .skipped, .interrupted, .cancelled: state.rawValue
    }
  }

  // MARK: - Suggestions

  /// The files that could be added, above the line in which they are typed.
  private mutating func drawSuggestions() {
    guard let prompt = machine.prompt, prompt.kind != .find else { return }
    let all = machine.suggestions
    let visible = min(Self.queueRows(machine), max(rows / 2, 1))
    let bottom = rows - (isComfortable ? 2 : 1)
    let shown = min(visible, max(all.count, 1))
    let first = Self.firstRow(selected: prompt.choice ?? 0, count: all.count, visible: shown)
    for row in (bottom - shown)..<bottom {
      put(String(repeating: " ", count: columns), row: row, column: 0)
    }
    if isComfortable, bottom - shown - 1 > 1 {
      rule(row: bottom - shown - 1)
      put(" Files here ", row: bottom - shown - 1, column: 3, style: .faint)
    }
    guard !all.isEmpty else {
      put(
        prompt.text.isEmpty
          ? "No playable file here: type a path or an address."
          : prompt.kind == .announce ? "enter announces what is typed" : "enter adds what is typed",
        row: bottom - 1, column: 1, limit: columns - 2, style: .faint)
      return
    }
    for offset in 0..<shown {
      let index = first + offset
      let isChosen = index == (prompt.choice ?? (prompt.text.isEmpty ? 0 : -1))
      put(all[index], row: bottom - shown + offset, column: 2, limit: columns - 3)
      if isChosen { select(row: bottom - shown + offset, to: columns) }
      touchable(.suggestion(index), row: bottom - shown + offset, columns: 0..<columns)
    }
  }
}
