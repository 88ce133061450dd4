import ArgumentParser
import CastProtocol
import CastqCore

/// `castq check SOURCE…`
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Parse and validate sources; every problem as file:line:column: message.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var input: SourceOptions

  func validate() throws {
    if input.sources.isEmpty { throw ValidationError("name at least one SOURCE") }
  }

  func run() async throws {
    try global.checkConfiguration()
    let list = await SourceList(input, timeout: global.deviceTimeout)
    if global.jsonl {
      for issue in list.issues { Console.print(JSONOutput.issue(issue)) }
    } else if global.json {
      let document: JSONValue = [
        "entries": .integer(Int64(list.drafts.count)), "issues": .array(list.issues.map(JSONOutput.issue)),
      ]
      Console.print(document)
    } else {
      for issue in list.issues { Console.print("\(issue)") }
    }
    if let failure = list.failure { throw Silent(failure) }
  }
}
