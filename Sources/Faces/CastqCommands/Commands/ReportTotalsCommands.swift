import ArgumentParser
import CastqOperations

/// `castq report plays`
struct ReportPlaysCommand: ReportKindCommand {
  static let configuration = CommandConfiguration(
    commandName: "plays", abstract: "Count plays, and sum up what was shown.",
    discussion: """
      By media, unless --by says otherwise. A play counts where it started; its seconds belong to the days and hours on which they \
      were shown, by the clocks of the site or of --tz. A day has the hours that its clocks show.
      """)

  static let kind = ReportRun.Kind.plays

  @OptionGroup var asked: ReportQuestion
}

/// `castq report gaps`
struct ReportGapsCommand: ReportKindCommand {
  static let configuration = CommandConfiguration(
    commandName: "gaps", abstract: "Measure the time without a picture between plays.",
    discussion: "By device, unless --by says otherwise. A gap belongs to the play that follows it.")

  static let kind = ReportRun.Kind.gaps

  @OptionGroup var asked: ReportQuestion
}

/// `castq report outages`
struct ReportOutagesCommand: ReportKindCommand {
  static let configuration = CommandConfiguration(
    commandName: "outages", abstract: "List the times in which devices did not answer.",
    discussion: """
      An outage begins when a device that is fed was heard last, and ends when it answers again, or when castq stops calling it. With --by device, day or hour it is \
      counted where it began, and its seconds belong to the days and hours on which they passed.
      """)

  static let kind = ReportRun.Kind.outages

  @OptionGroup var asked: ReportQuestion
}
