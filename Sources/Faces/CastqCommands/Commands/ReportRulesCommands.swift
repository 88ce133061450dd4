import ArgumentParser
import CastqOperations

/// `castq report adherence`
struct ReportAdherenceCommand: ReportKindCommand {
  static let configuration = CommandConfiguration(
    commandName: "adherence", abstract: "Compare what rules were to show with what was shown by them.",
    discussion: """
      By rule, unless --by says otherwise. Planned is what the decisions of that time say, and where castq did not run, what the plan \
      says of the rules as they were, removed ones too, with the day parts, calendars, groups and zones of that time. Shown are the seconds \
      on the screen by that rule, without pauses.
      """)

  static let kind = ReportRun.Kind.adherence

  @OptionGroup var asked: ReportQuestion
}

/// `castq report share`
struct ReportShareCommand: ReportKindCommand {
  static let configuration = CommandConfiguration(
    commandName: "share", abstract: "Compare the seconds of each share with what it was due.",
    discussion: """
      By hour, unless --by says otherwise. Due is the part of the time in which something was on the screen; dark time earns nothing. \
      It goes by the rules as they were, with the day parts, calendars, groups and zones of that time.
      """)

  static let kind = ReportRun.Kind.share

  @OptionGroup var asked: ReportQuestion
}
