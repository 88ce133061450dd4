package import CastqText

/// A schedule as it was read from a file, with the places that are doubted later.
package struct SiteDocument: Sendable {
  package var schedule: SiteSchedule
  /// The file as the user named it.
  let file: String
  /// Where the file has the exceptions of each rule.
  let exceptionPlaces: [String: [LocalTime: DocumentPlace]]

  /// The exceptions at times that their rules never give, in the order of the file. They are kept: a rule that was changed has them from
  /// before, and a file that `castq schedule export` wrote must be read again.
  /// - Parameters:
  ///   - dayparts: those of the rows, which the rules may name; the file's come first.
  ///   - calendars: the same.
  package func idleExceptions(dayparts: [Daypart], calendars: [HolidayCalendar]) -> [PlaylistIssue] {
    let book = book(dayparts, calendars)
    var issues: [PlaylistIssue] = []
    for (name, places) in exceptionPlaces {
      // What cannot be evaluated is reported by what evaluates it.
      guard let rule = schedule.rules[name], let timetable = try? RuleTimetable(rule, zone: .utc, in: book)
      else { continue }
      for (original, place) in places where !timetable.gives(original) {
        issues.append(
          PlaylistIssue(
            .warning, file: file, line: place.line, column: place.column,
            message: timetable.words(without: original)))
      }
    }
    return issues.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  /// The rows with what the file puts in their place. Names are as the rows have them, as in the rules that were read.
  private func book(_ dayparts: [Daypart], _ calendars: [HolidayCalendar]) -> ScheduleBook {
    var book = ScheduleBook(dayparts: dayparts, calendars: calendars)
    let known = (Self.names(of: book.dayparts), Self.names(of: book.calendars))
    for (name, daypart) in schedule.dayparts { book.dayparts[known.0[name.lowercased()] ?? name] = daypart }
    for (name, days) in schedule.calendars {
      let name = known.1[name.lowercased()] ?? name
      book.calendars[name] = HolidayCalendar(name: name, days: days)
    }
    return book
  }

  private static func names<Value>(of rows: [String: Value]) -> [String: String] {
    Dictionary(rows.keys.map { ($0.lowercased(), $0) }) { $1 }
  }
}

extension RuleTimetable {
  /// That the rule itself does not begin at a local time, and when it does.
  /// - Parameter text: the time as it was written; nil is the whole of it.
  package func words(without local: LocalTime, _ text: String? = nil) -> String {
    let next = nextLocalStart(from: local).map { "; the next time after it is \($0.text)" }
    return "\(rule.name) does not begin at \(text ?? local.text)\(next ?? "")"
  }
}
