import ArgumentParser
import CastProtocol
import CastqOperations
import CastqOutput
import CastqStore
import CastqText

/// `castq-link resend`
struct ResendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resend", abstract: "Send the plays again that the centre has refused.",
    discussion: """
      For when the reason is mended: a rule of the centre's tables, or a damaged row. 'castq-link run' sends them with its next batch, under \
      their own numbers, so that each is there once; what is refused again is kept again. With --list they are printed, with the centre's \
      reason, and nothing is sent.
      """)

  @OptionGroup var global: LinkOptions
  @Flag(help: "Print the plays that the centre has refused, and why; send nothing.")
  var list = false

  func run() throws {
    let outbox = OutboxStore(try global.database())
    if list { return try print(outbox) }
    let (count, waiting): (Int, Int)
    do throws(StoreError) {
      count = try outbox.resend()
      waiting = try outbox.link()?.waiting ?? 0
    } catch { throw Failure(error) }
    if global.json {
      let document: JSONValue = ["resent": .integer(Int64(count)), "waiting": .integer(Int64(waiting))]
      LinkOutput.print(document.text)
    } else if !global.quiet {
      LinkOutput.print(Self.words(count))
    }
  }

  private func print(_ outbox: OutboxStore) throws {
    let refused: [OutboxStore.Refused]
    do throws(StoreError) { refused = try outbox.refused() } catch { throw Failure(error) }
    if global.json {
      LinkOutput.print(JSONValue.object(["refused": .array(refused.map(\.json))]).text)
    } else if refused.isEmpty {
      if !global.quiet { LinkOutput.say("castq-link: \(Self.words(0))") }
    } else {
      let zone = try Zone.site(global.call)
      var table = Table(["NUMBER", "ENDED", "DEVICE", "TITLE", "WHY"].map { ($0, .left) })
      for play in refused { table.add(play.cells(zone)) }
      table.lines().forEach(LinkOutput.print)
      LinkOutput.print(zone.legend)
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

extension OutboxStore.Refused {
  fileprivate var json: JSONValue {
    [
      "number": .integer(seq), "ended_at": endedAt.map { .string(RFC3339.text($0)) } ?? .null,
      "device": device.map { .string($0) } ?? .null, "title": title.map { .string($0) } ?? .null,
      "why": problem.map { .string($0) } ?? .null,
    ]
  }

  fileprivate func cells(_ zone: Zone) -> [String] {
    [
      "\(seq)", endedAt.map(zone.text) ?? "-", device ?? "-", title ?? "-",
      problem ?? "the log of that day says why",
    ]
  }
}
