/// The lists of a schedule that take no options.
package enum ScheduleList: String, Sendable, Hashable, CaseIterable {
  case rules, programmes, groups, dayparts, calendars, shares
}
