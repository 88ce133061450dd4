import CastqText

/// Parses M3U and M3U8 as found in practice, with castq's own directives in comments.
///
/// An invalid line is reported and ignored; its entry stays.
struct M3UParser {
  private let file: String
  private let limits: PlaylistLimits
  private var document: PlaylistDocument
  /// Attributes before the first `#EXTINF` and the first entry; defaults for the whole list.
  private var header = EntryAttributes()
  private var pending = Pending()
  private var isInHeader = true
  private var isFull = false

  /// Attributes of the next entry.
  private struct Pending {
    var info: Located<M3UInfo>?
    var tags = EntryAttributes()
    var directives = EntryAttributes()
    var directive: Located<Void>?
    var keys: Set<String> = []
  }

  /// - Parameters:
  ///   - bytes: UTF-8; a line that is not is reported.
  ///   - file: the name for messages.
  static func parse(_ bytes: [UInt8], file: String, limits: PlaylistLimits) -> PlaylistDocument {
    if let refused = PlaylistDocument.refusing(bytes, file: file, limits: limits) { return refused }
    var parser = M3UParser(file: file, limits: limits)
    var lines = LineReader(bytes, encoding: .utf8, limit: limits.lineBytes)
    while !parser.isFull, !parser.document.isStreamManifest, let line = lines.next() {
      switch line {
      case .text(let line): parser.read(line)
      case .bad(let bad, let isComment):
        parser.report(.error, .content, bad.line, bad.column, bad.value)
        // Attributes of an entry that is dropped must not apply to the next one.
        if !isComment { parser.pending = Pending() }
      }
    }
    guard !parser.document.isStreamManifest else {
      var manifest = PlaylistDocument(limits: limits)
      manifest.isStreamManifest = true
      return manifest
    }
    parser.reportPending()
    return parser.document
  }

  private init(file: String, limits: PlaylistLimits) {
    self.file = file
    self.limits = limits
    document = PlaylistDocument(limits: limits)
  }

  private mutating func report(
    _ severity: PlaylistIssue.Severity, _ kind: PlaylistIssue.Kind = .content, _ line: Int, _ column: Int,
    _ error: TextError
  ) {
    let place = DocumentPlace(line: line, column: column)
    document.issues.add(PlaylistIssue(severity, kind, file: file, at: place, error))
  }

  private mutating func read(_ line: SourceLine) {
    let utf8 = line.text.utf8
    guard let start = utf8.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
    if utf8[start] == UInt8(ascii: "#") {
      readTag(line, from: start)
    } else {
      readEntry(line, from: start)
    }
  }

  private mutating func readEntry(_ line: SourceLine, from start: String.Index) {
    let end = line.text.utf8.lastIndex { $0 != 0x20 && $0 != 0x09 } ?? start
    guard document.items.count < limits.entries else {
      report(
        .error, .limit, line.number, line.column(of: start),
        TextError("more than \(limits.entries) entries; this one and the rest were left out"))
      isFull = true
      pending = Pending()
      return
    }
    var text = String(line.text[start..<line.text.utf8.index(after: end)])
    var attributes = pending.directives.over(pending.tags).over(
      pending.info?.value.attributes ?? EntryAttributes())
    // The line of its own wins; the attribute is kept beside it.
    if let line = pending.tags.group, let group = pending.info?.value.attributes.group, group != line {
      _ = attributes.foreign.add(attribute: "group-title", group)
    }
    if let headers = Self.headers(of: text) {
      if !attributes.foreign.add(line: String(text[headers...])) {
        report(
          .warning, .content, line.number, line.column(of: start),
          TextError("the headers behind the address are not kept for export"))
      }
      text = String(text[..<headers])
    }
    document.items.append(
      PlaylistItem(
        location: Located(text, line: line.number, column: line.column(of: start)),
        attributes: attributes.over(header),
        hasDirectives: pending.directive != nil))
    pending = Pending()
    isInHeader = false
  }

  /// Where `|User-Agent=…` begins behind an address, which Kodi's lists write for its own player; nil when nothing does.
  private static func headers(of text: String) -> String.Index? {
    guard let scheme = WebAddress.scheme(of: text)?.scheme, scheme.utf8.starts(with: "http".utf8),
      text.utf8.contains(UInt8(ascii: "|"))
    else { return nil }
    var bar = text.utf8.firstIndex(of: UInt8(ascii: "|"))
    while let found = bar {
      let after = text.utf8.index(after: found)
      if DemandedHeaders.areHeaders(text[after...]) { return found }
      bar = text.utf8[after...].firstIndex(of: UInt8(ascii: "|"))
    }
    return nil
  }

  private mutating func readTag(_ line: SourceLine, from start: String.Index) {
    let utf8 = line.text.utf8
    let nameEnd =
      utf8[start...].firstIndex { $0 == UInt8(ascii: ":") || $0 == 0x20 || $0 == 0x09 } ?? utf8.endIndex
    let hasColon = nameEnd < utf8.endIndex && utf8[nameEnd] == UInt8(ascii: ":")
    let valueStart = hasColon ? utf8.index(after: nameEnd) : nameEnd
    let name = line.text[start..<nameEnd].uppercased()
    if StreamManifest.tags.contains(name) {
      document.isStreamManifest = true
    } else if name == "#EXTM3U" {
      readHeader(line, from: valueStart)
    } else if name.utf8.starts(with: "#CASTQ".utf8) {
      readDirective(line, name: name, hasColon: hasColon, at: start, valueStart: valueStart)
    } else if hasColon {
      readKnownTag(line, name: name, valueStart: valueStart)
    } else if name == "#EXTINF", nameEnd < utf8.endIndex {
      let words = TextError("#EXTINF has no colon, and is read as if it had one")
      report(.warning, .content, line.number, line.column(of: nameEnd), words)
      readKnownTag(line, name: name, valueStart: valueStart)
    }
  }

  /// What the list says of itself to other players, such as where the guide of its channels is.
  private mutating func readHeader(_ line: SourceLine, from start: String.Index) {
    let info = M3UInfo(header: line, from: start, limits: limits)
    for doubt in info.doubts { report(.warning, .content, line.number, doubt.column, doubt.error) }
    for attribute in info.attributes.foreign.attributes {
      _ = document.foreign.add(list: attribute.name, attribute.value)
    }
  }

  /// Tags that apply to the whole album when they stand before its first entry.
  private static let albumTags: Set<String> = ["#EXTALB", "#EXTART", "#EXTGENRE", "#EXTALBUMARTURL"]

  private mutating func readKnownTag(_ line: SourceLine, name: String, valueStart: String.Index) {
    if name == "#EXTINF" {
      reportPendingInfo()
      let info = M3UInfo(line, from: valueStart, limits: limits)
      for doubt in info.doubts { report(.warning, .content, line.number, doubt.column, doubt.error) }
      pending.info = Located(info, line: line.number, column: 1)
      isInHeader = false
      return
    }
    let raw = String(line.text[valueStart...])
    let text = EntryText(raw, limit: limits.textScalars).value
    guard !text.isEmpty else { return }
    var attributes = EntryAttributes()
    switch name {
    case "#PLAYLIST": document.name = document.name ?? text
    case "#EXTALB": attributes.album = text
    case "#EXTART": attributes.artist = text
    case "#EXTGENRE": attributes.genre = text
    // Kodi's lists have quotation marks around a group with blanks.
    case "#EXTGRP": attributes.group = Self.unquoted(text)
    // The directory of that name writes a length of 1 for its stations.
    case "#RADIOBROWSERUUID": (attributes.isRadio, attributes.isLive) = (true, true)
    // `#EXTIMG` is also written with words such as `front cover`, which are not the name of a picture.
    case "#EXTALBUMARTURL", "#EXTIMG":
      let first = raw.utf8.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? raw.startIndex
      let column = line.column(
        of: line.text.utf8.index(valueStart, offsetBy: raw.utf8.distance(from: raw.startIndex, to: first)))
      let type = ContentTypes.standard.type(path: text) ?? ""
      if name == "#EXTALBUMARTURL" || text.utf8.contains(UInt8(ascii: "/"))
        || ContentTypes.family(of: type) == "image"
      {
        attributes.image = Located(String(raw[first...]), line: line.number, column: column)
      }
    case "#EXTVLCOPT": readPlayerOption(text, line, valueStart, to: &attributes)
    case "#KODIPROP", "#EXTHTTP", "#WEBPROP", "#EXTBYT": keep(name, text, line, to: &attributes)
    default: return
    }
    if isInHeader && Self.albumTags.contains(name) {
      header = attributes.over(header)
    } else {
      let earlier = pending.tags.foreign
      pending.tags = attributes.over(pending.tags)
      pending.tags.foreign = earlier.joined(with: attributes.foreign)
    }
  }

  private static func unquoted(_ text: String) -> String {
    guard text.utf8.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.unicodeScalars.dropFirst().dropLast())
  }

  /// VLC's options for the next entry; those for its own network and screen do not apply to a receiver.
  private mutating func readPlayerOption(
    _ text: String, _ line: SourceLine, _ valueStart: String.Index, to attributes: inout EntryAttributes
  ) {
    let column = line.column(of: valueStart)
    do {
      let isOwn = try PlayerOption.apply(text, line: line.number, column: column, to: &attributes)
      if !isOwn { keep("#EXTVLCOPT", text, line, to: &attributes) }
    } catch {
      report(.warning, .content, line.number, column, error)
    }
  }

  private mutating func keep(
    _ tag: String, _ text: String, _ line: SourceLine, to attributes: inout EntryAttributes
  ) {
    let earlier = pending.tags.foreign.lines.count
    guard earlier < ForeignFields.limit, attributes.foreign.add(line: "\(tag):\(text)") else {
      return report(.warning, .content, line.number, 1, TextError("the line is not kept for export"))
    }
  }

  private mutating func readDirective(
    _ line: SourceLine, name: String, hasColon: Bool, at start: String.Index, valueStart: String.Index
  ) {
    guard hasColon, name == "#CASTQ" || name == "#CASTQ-QUEUE" else {
      let near = Spelling.nearest(to: name, in: ["#CASTQ", "#CASTQ-QUEUE"]) ?? "#CASTQ"
      report(
        .error, .content, line.number, line.column(of: start),
        TextError("`\(TerminalText.excerpt(name))` is not a directive", hint: "did you mean `\(near):`?"))
      return
    }
    let isQueue = name == "#CASTQ-QUEUE"
    if !isQueue && pending.directive == nil {
      pending.directive = Located((), line: line.number, column: line.column(of: start))
    }
    let scalars = line.text.unicodeScalars
    var fields = DirectiveFields(line, from: scalars.distance(from: scalars.startIndex, to: valueStart))
    var isAtEnd = false
    var errors = 0
    // A line with more errors than keys is not a directive, and advice on each would cost time.
    while !isAtEnd, errors < EntryDirective.names.count {
      do {
        if let field = try fields.next() {
          try apply(field, isQueue: isQueue, line: line.number)
        } else {
          isAtEnd = true
        }
      } catch {
        errors += 1
        report(.error, .content, line.number, error.column, error.error)
      }
    }
  }

  private mutating func apply(_ field: DirectiveFields.Field, isQueue: Bool, line: Int) throws(DirectiveError)
  {
    let names = isQueue ? QueueDirective.names : EntryDirective.names
    guard names.contains(field.key) else {
      let near = Spelling.nearest(to: field.key, in: names)
      throw DirectiveError(
        field.keyColumn,
        TextError(
          "`\(TerminalText.excerpt(field.key))` is not a key of \(isQueue ? "#CASTQ-QUEUE" : "#CASTQ")",
          hint: near.map { "did you mean `\($0)`?" } ?? "the keys are \(names.joined(separator: ", "))"))
    }
    if isQueue {
      try QueueDirective(rawValue: field.key)?.apply(
        field.value, line: line, limits: limits, to: &document)
      return
    }
    if !pending.keys.insert(field.key).inserted {
      report(
        .warning, .content, line, field.keyColumn,
        TextError("`\(field.key)` is given twice for one entry; the last one counts"))
    }
    try EntryDirective(rawValue: field.key)?.apply(
      field.value, line: line, limits: limits, to: &pending.directives)
  }

  private mutating func reportPendingInfo() {
    guard let info = pending.info else { return }
    report(.warning, .content, info.line, info.column, TextError("#EXTINF without an entry after it"))
    pending.info = nil
    pending.tags = EntryAttributes()
  }

  private mutating func reportPending() {
    reportPendingInfo()
    guard let directive = pending.directive else { return }
    report(
      .warning, .content, directive.line, directive.column, TextError("#CASTQ without an entry after it"))
  }
}
