import CastqText

/// The names that a file may use without having them: those of the rows. Without regard to case.
package struct SiteNames: Sendable {
  private var names: [SiteSchedule.Section: [String: String]] = [:]
  private var isOpen = false

  package init() {}

  /// The names of rows that are not at hand: whatever a file names is taken to be there.
  package static var elsewhere: SiteNames {
    var names = SiteNames()
    names.isOpen = true
    return names
  }

  /// - Parameter label: what it is called in the schedule; nil is as it is given.
  package mutating func add(_ section: SiteSchedule.Section, _ name: String, as label: String? = nil) {
    names[section, default: [:]][name.lowercased()] = label ?? name
  }

  /// All names of a section, in alphabetical order.
  package func all(_ section: SiteSchedule.Section) -> [String] { (names[section] ?? [:]).values.sorted() }

  /// The name as it is written where it is given; nil when there is none.
  package func name(_ section: SiteSchedule.Section, _ text: String) -> String? {
    given(section, text) ?? (isOpen ? text : nil)
  }

  /// The same of those that were added alone.
  func given(_ section: SiteSchedule.Section, _ text: String) -> String? {
    names[section]?[text.lowercased()]
  }

  /// What may have been meant.
  func nearest(_ section: SiteSchedule.Section, to text: String) -> String? {
    Spelling.nearest(to: text, in: (names[section] ?? [:]).values.sorted())
  }
}
