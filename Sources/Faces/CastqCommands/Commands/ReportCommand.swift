import ArgumentParser

/// `castq report KIND`
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Sum up what was played, and prove it.",
    subcommands: [
      ReportPlaysCommand.self, ReportGapsCommand.self, ReportOutagesCommand.self,
      ReportAdherenceCommand.self, ReportShareCommand.self, ReportProofCommand.self, ReportVerifyCommand.self,
      ReportKeyCommand.self,
    ])
}
