package import CastProtocol
import CastqText

/// What has to change so that rows have what a file says.
package struct SiteDifference: Sendable, Hashable {
  package enum Change: Sendable, Hashable {
    case add(JSONValue)
    case change(from: JSONValue, to: JSONValue)
    case remove
  }

  /// In the order of the sections, by name.
  package var changes: [(member: SiteMember, change: Change)]

  /// - Parameters:
  ///   - isPruning: whether members of the file's sections that it does not have are removed. Devices never are.
  package init(from rows: SiteSchedule, to file: SiteSchedule, isPruning: Bool) {
    let (old, new) = (rows.members, file.members)
    var changes: [(SiteMember, Change)] = new.compactMap { member, value in
      guard let before = old[member] else {
        // A device in the zone of the site is not written down.
        return member.section == .devices && value == .object([:]) ? nil : (member, .add(value))
      }
      return before == value ? nil : (member, .change(from: before, to: value))
    }
    if isPruning {
      for member in old.keys where new[member] == nil && file.sections.contains(member.section) {
        if member.section != .devices { changes.append((member, .remove)) }
      }
    }
    self.changes = changes.sorted { $0.0 < $1.0 }
  }

  package static func == (left: SiteDifference, right: SiteDifference) -> Bool { left.lines == right.lines }

  package func hash(into hasher: inout Hasher) { hasher.combine(lines) }

  /// `+ rule breakfast: {…}`, `~ rule breakfast: daily "08:00-10:30" → "08:00-11:00"`, `- rule breakfast`; sanitised.
  package var lines: [String] {
    changes.map { member, change in
      let name = "\(member.section.word) \(member.name)"
      switch change {
      case .add(let value): return TerminalText.sanitized("+ \(name): \(value.text)")
      case .remove: return TerminalText.sanitized("- \(name)")
      case .change(let old, let new):
        return TerminalText.sanitized("~ \(name): \(Self.words(old.object ?? [:], new.object ?? [:]))")
      }
    }
  }

  /// The changes for programs: `change` is `add`, `change` or `remove`.
  package var documents: [JSONValue] {
    changes.map { member, change in
      let (word, old, new): (String, JSONValue, JSONValue) =
        switch change {
        case .add(let value): ("add", .null, value)
        case .change(let old, let new): ("change", old, new)
        case .remove: ("remove", .null, .null)
        }
      return [
        "change": .string(word), "kind": .string(member.section.word), "name": .string(member.name),
        "from": old, "to": new,
      ]
    }
  }

  private static func words(_ old: [String: JSONValue], _ new: [String: JSONValue]) -> String {
    Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }
      .map { "\($0) \(old[$0]?.text ?? "–") → \(new[$0]?.text ?? "–")" }.joined(separator: ", ")
  }
}
