import CastqSchedule

/// The name of a rule that somebody makes without giving it one: that of its programme, and a number where there is such a rule.
package enum RuleNaming {
  /// - Parameters:
  ///   - programme: a programme, or the file or the address that a rule plays.
  ///   - known: names that other rules have; letters count in any case.
  package static func name(for programme: String, besides known: [String]) -> String {
    let shown = ProgrammeName.shown(programme)
    var base = Substring(shown)
    if shown.contains("/") {
      base = shown.split(separator: "/").last ?? base
      if let dot = base.lastIndex(of: "."), dot > base.startIndex { base = base[..<dot] }
    }
    // An @ names groups, calendars and times.
    var name = String(base.filter { $0 != "@" && $0 != "/" }.prefix(60))
    while name.first == " " || name.first == "-" { name.removeFirst() }
    while name.last == " " { name.removeLast() }
    if name.isEmpty || name == "." || name == ".." { name = "Time" }
    let taken = Set(known.map { $0.lowercased() })
    guard taken.contains(name.lowercased()) else { return name }
    return (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0.lowercased()) } ?? name
  }
}
