import ArgumentParser
import CastProtocol
import CastqStore

/// `castq-link resend`
struct ResendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resend", abstract: "Send the plays again that the centre has refused.",
    discussion: """
      For when the reason is mended: a rule of the centre's tables, or a damaged row. 'castq-link run' sends them with its next batch, under \
      their own numbers, so that each is there once; what is refused again is kept again.
      """)

  @OptionGroup var global: LinkOptions

  func run() throws {
    let outbox = OutboxStore(try global.database())
    let (count, waiting): (Int, Int)
    do throws(StoreError) {
      count = try outbox.resend()
      waiting = try outbox.link()?.waiting ?? 0
    } catch { throw LinkFailure(error) }
    if global.json {
      let document: JSONValue = ["resent": .integer(Int64(count)), "waiting": .integer(Int64(waiting))]
      LinkOutput.print(document.text)
    } else if !global.quiet {
      LinkOutput.print(Self.words(count))
    }
  }

  private static func words(_ count: Int) -> String {
    switch count {
    case 0: "no play is kept that the centre has refused"
    case 1: "1 play that the centre has refused is sent again"
    default: "\(count) plays that the centre has refused are sent again"
    }
  }
}
