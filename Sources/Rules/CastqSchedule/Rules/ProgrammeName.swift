/// The names of programmes.
package enum ProgrammeName {
  /// A name as people see it. A programme that is made for a rule is called by its source; where another one
  /// is called so already, blanks at the end tell them apart, which no name has that a person gives.
  package static func shown(_ name: String) -> String {
    var shown = Substring(name)
    while shown.last == " " { shown.removeLast() }
    return String(shown)
  }
}

extension ScheduleRule {
  /// The rule with the names of programmes as people see them.
  package var shown: ScheduleRule {
    var rule = self
    rule.programme = ProgrammeName.shown(programme)
    for case (let time, .replace(let name)) in exceptions {
      rule.exceptions[time] = .replace(ProgrammeName.shown(name))
    }
    return rule
  }
}
