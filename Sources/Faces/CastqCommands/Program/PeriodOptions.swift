import ArgumentParser
import CastqOperations
import CastqText

/// The options of a period.
struct PeriodOptions: ParsableArguments {
  // A time may begin with a minus sign, as an option does.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("From this time on, such as -1w or 'yesterday 14:00'.", valueName: "time"),
    transform: TimeArgument.init)
  var since: TimeArgument?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Before this time.", valueName: "time"),
    transform: TimeArgument.init)
  var until: TimeArgument?

  @Option(
    help: ArgumentHelp("Time zone for input and output; that of the site by default.", valueName: "zone"),
    transform: Zone.init)
  var tz: Zone?

  /// The period that is meant. Who asks for one with nothing in it is led to the help of the command.
  func read(_ global: CallOptions, isShown: Bool = true) throws -> Period {
    do throws(Failure) {
      return try PeriodQuery(since: since, until: until, tz: tz).read(global, isShown: isShown)
    } catch {
      guard error.exit == .usage else { throw error }
      throw ValidationError(error.message)
    }
  }
}
