package import CastProtocol
package import CastqText

/// A schedule as a file has it, `site.yaml`: everything by its name, and nothing that a computer counts.
package struct SiteSchedule: Sendable, Hashable {
  /// What a programme has in the file.
  package struct Programme: Sendable, Hashable {
    package var source: String
    package var isShuffled: Bool
    /// The name of the programme that is shown while nothing of this one can be; nil is what lies below.
    package var filler: String?

    package init(source: String, isShuffled: Bool = false, filler: String? = nil) {
      self.source = source
      self.isShuffled = isShuffled
      self.filler = filler
    }
  }

  /// The parts of the file, in the order in which they are written; what a later one names, an earlier one has.
  package enum Section: String, Sendable, Hashable, CaseIterable {
    case programmes, dayparts, calendars, groups, devices, rules, shares

    /// What one of its members is called in a message.
    package var word: String {
      switch self {
      case .programmes: "programme"
      case .dayparts: "daypart"
      case .calendars: "calendar"
      case .groups: "group"
      case .devices: "device"
      case .rules: "rule"
      case .shares: "share"
      }
    }
  }

  /// The sections that the file has; the others are not its business.
  package var sections: Set<Section> = []
  package var programmes: [String: Programme] = [:]
  package var dayparts: [String: Daypart] = [:]
  /// The days of a calendar, and what they are called.
  package var calendars: [String: [LocalDate: String]] = [:]
  /// The devices of a group, by their names.
  package var groups: [String: Set<String>] = [:]
  /// The zones of devices; nil is the site's.
  package var devices: [String: ZoneName?] = [:]
  /// Rules and shares. Their numbers and revisions mean nothing; the device of a target has its name, and the programme may be a
  /// source.
  package var rules: [String: ScheduleRule] = [:]

  package init() {}

  /// Each member of the file as a value, by its section and its name. Equal members have equal values.
  package var members: [SiteMember: JSONValue] {
    var members: [SiteMember: JSONValue] = [:]
    func add(_ section: Section, _ name: String, _ value: [(String, JSONValue)]) {
      members[SiteMember(section: section, name: name)] = .object(Dictionary(value) { $1 })
    }
    for (name, value) in programmes { add(.programmes, name, SiteWriter.members(value)) }
    for (name, value) in dayparts { add(.dayparts, name, SiteWriter.members(value)) }
    for (name, value) in calendars { add(.calendars, name, SiteWriter.members(value)) }
    for (name, value) in groups { add(.groups, name, SiteWriter.members(value)) }
    for (name, value) in devices { add(.devices, name, SiteWriter.members(value)) }
    for (name, value) in rules {
      add(value.kind.isShare ? .shares : .rules, name, SiteWriter.members(value))
    }
    return members
  }
}

extension RuleKind {
  /// Whether it is a share of each hour.
  package var isShare: Bool {
    switch self {
    case .share: true
    case .window, .trigger: false
    }
  }
}

/// What names a member of the file. Upper and lower case make no difference, as in the database.
package struct SiteMember: Sendable, Hashable, Comparable {
  package let section: SiteSchedule.Section
  package let name: String

  package static func == (left: SiteMember, right: SiteMember) -> Bool { left.key == right.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  package static func < (left: SiteMember, right: SiteMember) -> Bool {
    let (first, second) = (left.place, right.place)
    return first == second ? left.name.lowercased() < right.name.lowercased() : first < second
  }

  private var key: String { "\(section.rawValue)/\(name.lowercased())" }
  private var place: Int { SiteSchedule.Section.allCases.firstIndex(of: section) ?? 0 }
}
