import CastProtocol
import CastqText

extension SiteReader {
  mutating func report(_ place: DocumentPlace, _ error: TextError) {
    guard issues.count < 1000 else { return }
    issues.append(PlaylistIssue(.error, file: file, at: place, error))
  }

  func shown(_ text: String) -> String { "`\(TerminalText.excerpt(text))`" }

  /// The members of a mapping; nothing is an empty one.
  mutating func mapping(_ node: DocumentNode, _ whole: String) -> [DocumentMember]? {
    if case .scalar(.null, _) = node.content { return [] }
    guard let members = node.mapping else {
      report(node.place, TextError("expected \(whole), found \(node.kindName)", hint: "write key: value"))
      return nil
    }
    return members
  }

  /// The members of a mapping with known keys; others are issues.
  mutating func fields(_ node: DocumentNode, of whole: String, _ keys: [String]) -> [DocumentMember] {
    (mapping(node, whole) ?? []).filter { member in
      if keys.contains(member.key) { return true }
      let near = Spelling.nearest(to: member.key, in: keys)
      report(
        member.place,
        TextError(
          "\(shown(member.key)) is not a key of \(whole)",
          hint: near.map { "did you mean `\($0)`?" } ?? "the keys are \(keys.joined(separator: ", "))"))
      return false
    }
  }

  /// What a scalar was written as; nil for nothing, lists and mappings. YAML may read a text as a number or a time.
  func scalarText(_ node: DocumentNode) -> String? {
    guard case .scalar(let value, let text) = node.content, value != .null else { return nil }
    return text
  }

  /// What a scalar was written as; anything else is an issue.
  mutating func text(_ node: DocumentNode, _ wanted: String) -> String? {
    if let text = scalarText(node) { return text }
    report(node.place, TextError("expected \(wanted), found \(node.kindName)"))
    return nil
  }

  mutating func boolean(_ node: DocumentNode) -> Bool? {
    if let value = node.scalar?.bool { return value }
    report(node.place, TextError("expected true or false, found \(node.kindName)"))
    return nil
  }

  mutating func whole(_ node: DocumentNode, _ range: ClosedRange<Int>) -> Int? {
    if let number = node.scalar?.int, range.contains(number) { return number }
    report(
      node.place, TextError("expected a number from \(range.lowerBound) to \(range.upperBound)", hint: nil))
    return nil
  }

  /// The name of something that the file or the rows have, as it is written there.
  mutating func name(_ node: DocumentNode, _ section: SiteSchedule.Section) -> String? {
    guard let text = text(node, "the name of a \(section.word)") else { return nil }
    return name(text, section, node.place)
  }

  mutating func name(_ text: String, _ section: SiteSchedule.Section, _ place: DocumentPlace) -> String? {
    if let name = known.name(section, text) { return name }
    report(
      place,
      TextError(
        "there is no \(section.word) \(shown(text))",
        hint: known.nearest(section, to: text).map { "did you mean `\($0)`?" }
          ?? (section == .devices
            ? Self.addDevice : "write it into `\(section.rawValue)`")))
    return nil
  }

  /// A value that a text has.
  mutating func value<Value>(
    _ node: DocumentNode, _ wanted: String, _ parse: (String) throws(TextError) -> Value
  ) -> Value? {
    guard let text = text(node, wanted) else { return nil }
    do throws(TextError) { return try parse(text) } catch {
      report(node.place, error)
      return nil
    }
  }

  mutating func part(_ node: DocumentNode) -> DayPart? {
    value(node, "a part of a day such as \"08:00-10:30\"") { (text) throws(TextError) in try DayPart(text) }
  }

  mutating func weekdays(_ node: DocumentNode) -> Weekdays? {
    value(node, "days such as mon-fri") { (text) throws(TextError) in try Weekdays(text) }
  }

  /// Whole seconds, from a least number on.
  mutating func seconds(_ node: DocumentNode, from least: Int) -> Int? {
    value(node, "a length of time such as 90s") { (text) throws(TextError) in
      try Self.seconds(text, from: least)
    }
  }

  static func seconds(_ text: String, from least: Int) throws(TextError) -> Int {
    let seconds = try DurationText.seconds(text)
    guard seconds == seconds.rounded(), seconds >= Double(least), seconds <= Double(ScheduleRule.longest)
    else {
      throw TextError(
        "`\(TerminalText.excerpt(text))` is not a duration here",
        hint: "write whole seconds, from \(least)s on")
    }
    return Int(bounded: seconds)
  }
}
