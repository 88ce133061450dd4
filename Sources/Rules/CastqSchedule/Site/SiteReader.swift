import CastProtocol
package import CastqText

/// Reads `site.yaml`, which is YAML or JSON. Every mistake in it is reported with its place, all at once, and a file with a mistake
/// is refused as a whole: half of a schedule is another schedule.
package struct SiteReader {
  /// Largest size of a file, in bytes.
  package static let longest = 16 << 20
  /// The most rules and shares of a file.
  private static let mostRules = 20_000

  let file: String
  /// The folder that paths in the file are relative to; nil leaves them as they are.
  private let folder: String?
  /// The rows, and what the file adds.
  var known: SiteNames
  private let zone: (ZoneName) -> Bool
  private let source: (String) -> TextError?
  var issues: [PlaylistIssue] = []
  var site = SiteSchedule()
  var exceptionPlaces: [String: [LocalTime: DocumentPlace]] = [:]

  /// The schedule of a file, or every issue in the order of the file when anything is wrong.
  /// - Parameters:
  ///   - file: the file name for messages.
  ///   - folder: what paths are relative to.
  ///   - known: the names that the file may use without having them.
  ///   - zone: whether there is a zone of this name.
  ///   - source: what is wrong with a source, as it is written; nil is nothing, which is the default.
  package static func read(
    _ bytes: [UInt8], file: String, folder: String? = nil, known: SiteNames = SiteNames(),
    zone: @escaping (ZoneName) -> Bool = { _ in true },
    source: @escaping (String) -> TextError? = { _ in nil }
  ) -> Result<SiteDocument, ConfigurationError> {
    var reader = SiteReader(file: file, folder: folder, known: known, zone: zone, source: source)
    guard bytes.count <= longest else {
      let issue = PlaylistIssue(
        .error, .limit, file: file, message: "the schedule is larger than \(longest) bytes")
      return .failure(ConfigurationError(issues: [issue]))
    }
    var limits = DocumentLimits()
    limits.bytes = longest
    limits.errors = 100
    let document = YAMLReader.read(bytes, limits: limits)
    for error in document.errors {
      reader.report(DocumentPlace(line: error.line, column: error.column), error.value)
    }
    if let root = document.root { reader.read(root) }
    guard reader.issues.isEmpty else {
      let sorted = reader.issues.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
      return .failure(ConfigurationError(issues: sorted))
    }
    return .success(
      SiteDocument(schedule: reader.site, file: file, exceptionPlaces: reader.exceptionPlaces))
  }

  // MARK: - The file

  private mutating func read(_ root: DocumentNode) {
    if case .scalar(.null, _) = root.content { return }
    var sections: [(SiteSchedule.Section, [DocumentMember])] = []
    for member in fields(root, of: "a schedule", SiteSchedule.Section.allCases.map(\.rawValue)) {
      guard let section = SiteSchedule.Section(rawValue: member.key) else { continue }
      site.sections.insert(section)
      guard let members = mapping(member.value, "`\(section.rawValue)`") else { continue }
      sections.append((section, members))
    }
    // What a rule names may stand behind it.
    for (section, members) in sections {
      for member in members where section != .devices && known.given(section, member.key) == nil {
        known.add(section, member.key)
      }
    }
    for (section, members) in sections {
      var names: [String: String] = [:]
      for member in members {
        checkName(member)
        if let other = names.updateValue(member.key, forKey: member.key.lowercased()) {
          report(member.place, TextError("\(shown(member.key)) and \(shown(other)) are one \(section.word)"))
        }
        read(member, of: section)
      }
    }
    for name in site.rules.keys.sorted() where site.rules.count > Self.mostRules {
      report(
        DocumentPlace(line: 1, column: 1),
        TextError("there are more than \(Self.mostRules) rules, \(name) among them"))
      return
    }
  }

  private mutating func read(_ member: DocumentMember, of section: SiteSchedule.Section) {
    switch section {
    case .programmes: site.programmes[member.key] = programme(member)
    case .dayparts: site.dayparts[member.key] = daypart(member)
    case .calendars: site.calendars[member.key] = calendar(member.value)
    case .groups:
      if member.key.lowercased() == RuleTarget.nameOfAll {
        report(
          member.place,
          TextError("`\(RuleTarget.nameOfAll)` is every device", hint: "choose another name for the group"))
      }
      site.groups[member.key] = group(member.value)
    case .devices: readDevice(member)
    case .rules: add(rule(member, isShare: false))
    case .shares: add(rule(member, isShare: true))
    }
  }

  private mutating func add(_ rule: (rule: ScheduleRule, place: DocumentPlace)?) {
    guard let rule else { return }
    let name = rule.rule.name
    if site.rules.keys.contains(name) {
      report(
        rule.place, TextError("\(shown(name)) is a rule and a share", hint: "give one of them another name"))
    }
    site.rules[name] = rule.rule
  }

  private mutating func checkName(_ member: DocumentMember) {
    let name = member.key
    guard !GivenName.isName(name) || name.contains("@") else { return }
    report(
      member.place,
      TextError(
        "\(shown(name)) is not a name",
        hint: "write 1 to 200 bytes without control characters, @, blanks at the ends, and - at the beginning"
      ))
  }

  // MARK: - Sections

  private mutating func programme(_ whole: DocumentMember) -> SiteSchedule.Programme? {
    let node = whole.value
    var programme = SiteSchedule.Programme(source: node.string.map { checked($0, node.place) } ?? "")
    let members = node.string == nil ? fields(node, of: "a programme", ["source", "shuffle", "filler"]) : []
    for member in members {
      switch member.key {
      case "source":
        let source = text(member.value, "a list, a folder or an address")
        programme.source = source.map { checked($0, member.value.place) } ?? "-"
      case "shuffle": programme.isShuffled = boolean(member.value) ?? false
      default:
        programme.filler = name(member.value, .programmes)
        if programme.filler?.lowercased() == whole.key.lowercased() {
          report(
            member.value.place,
            TextError(
              "the programme \(shown(whole.key)) cannot be its own filler",
              hint: "name another programme, or leave `filler` out"))
        }
      }
    }
    if programme.source.isEmpty {
      report(node.place, TextError("the programme has no source", hint: "write source: /srv/menus.m3u"))
    }
    return programme
  }

  private mutating func daypart(_ member: DocumentMember) -> Daypart? {
    if member.key.contains(" ") {
      report(
        member.place, TextError("\(shown(member.key)) has a blank", hint: "names of day parts have none"))
    }
    if member.value.string != nil {
      return part(member.value).map { Daypart(name: member.key, part: $0) }
    }
    var whole: DayPart?
    var exceptions: [Daypart.Exception] = []
    for field in fields(member.value, of: "a day part", ["time", "on"]) {
      if field.key == "time" {
        whole = part(field.value)
      } else {
        for node in field.value.list ?? [field.value] {
          if let exception = daypartException(node) { exceptions.append(exception) }
        }
      }
    }
    guard let whole else {
      if !issues.contains(where: { $0.line >= member.place.line }) {
        report(member.place, TextError("the day part has no time", hint: "write time: \"08:00-10:30\""))
      }
      return nil
    }
    return Daypart(name: member.key, part: whole, exceptions: exceptions)
  }

  private mutating func daypartException(_ node: DocumentNode) -> Daypart.Exception? {
    var days: Daypart.Exception.Days?
    var time: DayPart?
    var isClosed = false
    let count = issues.count
    for field in fields(node, of: "an exception", ["days", "calendar", "time", "closed"]) {
      switch field.key {
      case "days": days = weekdays(field.value).map { .weekdays($0) }
      case "calendar": days = name(field.value, .calendars).map { .calendar($0) }
      case "time": time = part(field.value)
      default: isClosed = boolean(field.value) ?? false
      }
    }
    guard issues.count == count else { return nil }
    guard let days, (time == nil) == isClosed else {
      report(
        node.place,
        TextError(
          "the exception needs days or a calendar, and a time or closed",
          hint: "write {days: sat-sun, time: \"09:00-11:00\"} or {calendar: holidays, closed: true}"))
      return nil
    }
    return Daypart.Exception(days, time)
  }

  private mutating func calendar(_ node: DocumentNode) -> [LocalDate: String]? {
    guard let members = mapping(node, "days") else { return nil }
    var days: [LocalDate: String] = [:]
    for member in members {
      let label = scalarText(member.value) ?? ""
      do throws(TextError) { days[try LocalDate(member.key)] = label } catch {
        report(member.place, error)
      }
      if !label.isEmpty, !GivenName.isPlain(label) {
        report(
          member.value.place,
          TextError(
            "\(shown(label)) is no label",
            hint: "a label has at most \(GivenName.mostBytes) bytes, and no control characters"))
      }
      if member.value.list != nil || member.value.mapping != nil {
        _ = text(member.value, "what the day is called")
      }
    }
    return days
  }

  private mutating func group(_ node: DocumentNode) -> Set<String>? {
    var devices: Set<String> = []
    for each in node.list ?? [node] {
      if let device = name(each, .devices) { devices.insert(device) }
    }
    return devices
  }

  /// What to do about a device that nobody knows.
  static let addDevice = FaceWords(typed: "add it with 'castq device add NAME HOST'", paged: nil)

  private mutating func readDevice(_ member: DocumentMember) {
    guard let name = known.name(.devices, member.key) else {
      let near = known.nearest(.devices, to: member.key)
      report(
        member.place,
        TextError(
          "there is no device \(shown(member.key))",
          hint: near.map { "did you mean `\($0)`?" } ?? Self.addDevice))
      return
    }
    var zone: ZoneName?
    for field in fields(member.value, of: "a device", ["tz", "list"]) {
      if field.key == "tz" {
        zone = self.zoneName(field.value)
      } else {
        report(
          field.place,
          TextError(
            "the list of a device is no part of its schedule",
            hint: "write it into the configuration of the daemon, or play it by a rule with `always: true`"))
      }
    }
    site.devices[name] = .some(zone)
  }

  // MARK: - Values

  /// What a source is, once it is looked at.
  mutating func checked(_ source: String, _ place: DocumentPlace) -> String {
    if let error = self.source(source) { report(place, error) }
    return absolute(source)
  }

  /// A path from the root; addresses stay as they are.
  func absolute(_ source: String) -> String {
    guard let folder, !source.isEmpty, !source.contains("://"), !FilePath.isURL(source) else { return source }
    return FilePath.absolute(source, in: folder)
  }

  mutating func zoneName(_ node: DocumentNode) -> ZoneName? {
    guard let text = text(node, "a time zone such as Europe/Berlin") else { return nil }
    do throws(TextError) {
      let name = try ZoneName(text)
      guard zone(name) else {
        throw TextError(
          "there is no time zone \(TerminalText.excerpt(text))",
          hint: "write one such as Europe/Berlin; the package tzdata has them")
      }
      return name
    } catch {
      report(node.place, error)
      return nil
    }
  }
}
