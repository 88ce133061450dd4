import CastqOperations
import CastqSchedule
import CastqStore
import CastqText

/// An exit code whose message has been printed already.
struct Silent: Error {
  var exit: ExitStatus

  init(exit: ExitStatus) { self.exit = exit }
  init(_ failure: Failure) { exit = failure.exit }
}

extension Failure {
  /// Prints the message on stderr.
  func report() { Console.say("castq: \(shownMessage)") }
}

extension Workspace {
  /// Reports the damaged rows that a printed list omits, and throws if there are any.
  func reportDamage() throws(Silent) {
    let damage = database.takeDamage()
    guard let first = damage.first else { return }
    for error in damage { Console.say("castq: \(error)") }
    throw Silent(Failure(first))
  }
}

extension SourceList {
  func printIssues(quietly: Bool) {
    for issue in told(quietly: quietly) { Console.say("castq: \(issue)") }
  }
}

extension SiteFile {
  /// The schedule. Every mistake is printed with its place; one or more end the command.
  func read(_ names: SiteNames, isJSON: Bool) throws -> SiteDocument {
    if isJSON { return try document(names) }
    switch try read(names) {
    case .success(let site): return site
    case .failure(let error):
      for issue in error.issues { Console.say("castq: \(issue.description)") }
      throw Silent(exit: .badData)
    }
  }
}

extension PlanDifference {
  /// Prints `- ` with what is on now, `+ ` with what would be, by their starts; nothing where nothing changes.
  func print(_ devices: [ScheduleDevice], isJSON: Bool) {
    let changes = changes(devices)
    if isJSON { return Console.print(json(changes)) }
    var heading: String?
    for change in changes {
      if hasHeadings, heading != change.device.id {
        Console.print(TerminalText.sanitized(change.device.name))
        heading = change.device.id
      }
      Console.printWords("\(change.mark) \(change.text)")
    }
  }
}
