import CastXML
import CastqText

/// Reads TTML (`.ttml`, `.dfxp`, `.xml`): the paragraphs with their times, and of their styles and regions what WebVTT can show.
///
/// Namespaces are not compared: files of all drafts are in use, and the names of the elements never changed.
struct TimedTextReader {
  /// What holds within an element.
  private struct Level {
    var name: String
    var place: XMLPlace
    var styles: Set<CueText.Style> = []
    var settings = ""
    /// Milliseconds; times within are counted from here.
    var start = 0
    /// Nil without an end.
    var end: Int?
    /// Whether its text is a subtitle of its own: a paragraph, or a part of one that says when it is shown.
    var isSubtitle = false
    /// Whether what is in it follows one another (`timeContainer="seq"`); then where the next one begins.
    var isSequence = false
    var next = 0
    /// The end that it has itself.
    var ownEnd: Int?
    var keepsSpace = false
    /// The region that is being described.
    var region: String?
  }

  private var list: CueList
  private var clock = TimedTextClock()
  private var open: [Level] = []
  /// What styles and regions say, by their identifiers.
  private var faces: [String: Set<CueText.Style>] = [:]
  private var places: [String: String] = [:]
  /// The paragraph being read, or a part of it that has times of its own; nil outside.
  private var cue: CueText?
  /// How many elements were open when it began.
  private var cueDepth = 0
  private var endsWithSpace = true

  static func read(_ text: [UInt8], file: String, limits: SubtitleLimits) -> CueList {
    var reader = TimedTextReader(list: CueList(file: file, limits: limits))
    var xml = XMLReader(text)
    while let token = xml.next() {
      reader.report(xml.takeIssues())
      reader.handle(token)
    }
    reader.report(xml.takeIssues())
    return reader.list
  }

  private mutating func report(_ issues: [XMLIssue]) {
    for issue in issues {
      list.report(
        issue.place.line, issue.place.column, issue.error.message, .content, issue.severity,
        hint: issue.error.hint)
    }
  }

  private mutating func handle(_ token: XMLToken) {
    switch token {
    case .start(let element): begin(element)
    case .end: end()
    case .text(let text): read(text)
    }
  }

  // MARK: - Elements

  private mutating func begin(_ element: XMLElement) {
    var values: [String: String] = [:]
    for (name, value) in element.attributes {
      let local = name.utf8.lastIndex(of: UInt8(ascii: ":")).map { name[name.utf8.index(after: $0)...] }
      values[String(local ?? name[...])] = value
    }
    let outer = open.last
    var level = outer ?? Level(name: "", place: element.place)
    (level.name, level.place) = (element.name, element.place)
    if let space = values["space"] { level.keepsSpace = space == "preserve" }
    if element.name == "tt" { clock = TimedTextClock(values) }
    let named = (values["style"] ?? "").split(separator: " ").map(String.init)
    for name in named { level.styles.formUnion(faces[name] ?? []) }
    Self.apply(values, to: &level.styles)
    if element.name == "style", let id = values["id"], faces.count < 1000 { faces[id] = level.styles }
    // A style within a region is a part of it.
    if element.name == "region" { level.region = values["id"] }
    if let region = level.region, places.count < 1000 {
      let place = Self.settings(values)
      if !place.isEmpty { places[region] = place }
    }
    if let place = values["region"].flatMap({ places[$0] }) { level.settings = place }
    (level.isSubtitle, level.isSequence, level.ownEnd) = (element.name == "p", false, nil)
    if ["body", "div", "p", "span"].contains(element.name) {
      let isTimed = setTimes(values, &level, outer)
      if element.name == "span", isTimed, cue != nil { level.isSubtitle = true }
      if isTimed { level.ownEnd = level.end }
      (level.isSequence, level.next) = (values["timeContainer"] == "seq", level.start)
    }
    // What stands before a part with times of its own is a subtitle for itself.
    if level.isSubtitle { finishCue() }
    open.append(level)
    switch element.name {
    case _ where level.isSubtitle: startCue()
    case "br":
      cue?.endLine()
      endsWithSpace = true
    default: break
    }
    cue?.set(level.styles)
  }

  private mutating func end() {
    guard let level = open.last else { return }
    if cue != nil, open.count == cueDepth { finishCue() }
    open.removeLast()
    if open.last?.isSequence == true, let end = level.ownEnd { open[open.count - 1].next = end }
    if level.isSubtitle, let around = open.lastIndex(where: \.isSubtitle) {
      startCue()
      cueDepth = around + 1
    }
    cue?.set(open.last?.styles ?? [])
  }

  private mutating func startCue() {
    cue = CueText()
    cueDepth = open.count
    endsWithSpace = true
    cue?.set(open.last?.styles ?? [])
  }

  private mutating func finishCue() {
    defer { cue = nil }
    guard let cue, open.count >= cueDepth, cueDepth > 0 else { return }
    let level = open[cueDepth - 1]
    let text = cue.finished
    guard !text.isEmpty else { return }
    guard let end = level.end else {
      return list.report(
        level.place.line, level.place.column, "the subtitle has no end that can be read, so it was left out",
        hint: "write begin=\"00:00:01.000\" end=\"00:00:02.500\"")
    }
    list.add(
      SubtitleCue(start: level.start, end: end, settings: level.settings, text: text),
      line: level.place.line, column: level.place.column)
  }

  private mutating func read(_ text: String) {
    guard cue != nil, let level = open.last, level.name == "p" || level.name == "span" else { return }
    for scalar in text.unicodeScalars {
      if scalar == "\n" || scalar == "\r", level.keepsSpace {
        cue?.endLine()
        endsWithSpace = true
      } else if [" ", "\t", "\n", "\r"].contains(scalar) {
        if !endsWithSpace || level.keepsSpace { cue?.append(" ") }
        endsWithSpace = true
      } else {
        cue?.append(scalar)
        endsWithSpace = false
      }
    }
  }

  // MARK: - Attributes

  private static func apply(_ values: [String: String], to styles: inout Set<CueText.Style>) {
    func set(_ style: CueText.Style, _ value: String?, _ words: Set<String>) {
      guard let value else { return }
      if words.contains(value) { styles.insert(style) } else { styles.remove(style) }
    }
    set(.italic, values["fontStyle"], ["italic", "oblique"])
    set(.bold, values["fontWeight"], ["bold"])
    set(.underline, values["textDecoration"], ["underline"])
  }

  /// The place of a region; empty at the bottom, where subtitles are anyway.
  private static func settings(_ values: [String: String]) -> String {
    let top = values["origin"]?.split(separator: " ").last.flatMap { Double($0.prefix { $0 != "%" }) }
    switch values["displayAlign"] {
    case "before" where (top ?? 0) < 50: return "line:0"
    case "center": return "line:50%"
    default: return ""
    }
  }

  /// Times of an element are counted from the begin of the one around it, which it does not outlast.
  /// - Returns: whether it has times.
  private func setTimes(_ values: [String: String], _ level: inout Level, _ outer: Level?) -> Bool {
    guard values["begin"] != nil || values["end"] != nil || values["dur"] != nil else { return false }
    let base = (outer?.isSequence == true ? outer?.next : outer?.start) ?? 0
    level.end = nil
    guard let begin = values["begin"].map(clock.milliseconds) ?? 0 else { return true }
    level.start = base + begin
    var ends: [Int] = []
    if let end = values["end"] {
      guard let end = clock.milliseconds(end) else { return true }
      ends.append(base + end)
    }
    if let duration = values["dur"] {
      guard let duration = clock.milliseconds(duration) else { return true }
      ends.append(level.start + duration)
    }
    level.end = (ends + [outer?.end].compactMap { $0 }).min()
    return true
  }
}
