import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq tracks [--on ID…] [--off]`
struct TracksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracks", abstract: "List the tracks of what plays, or choose among them.",
    discussion:
      "A track that is switched on takes the place of the one of its kind; sound stays unless another is chosen."
  )

  @OptionGroup var global: GlobalOptions

  @Option(parsing: .upToNextOption, help: ArgumentHelp("Show these, by their numbers.", valueName: "id"))
  var on: [Int] = []

  @Flag(help: "Hide all text.")
  var off = false

  func run() async throws {
    let live = try await LiveControl(global)
    let isQuestion = on.isEmpty && !off
    let told = try await live.perform(
      isQuestion ? .tracks : .chooseTracks(TrackChoice(on: on, hidesText: off)))
    guard isQuestion || global.isMachineReadable, let tracks = told["tracks"]?.array else { return }
    if global.jsonl {
      for track in tracks { Console.print(track) }
    } else if global.json {
      Console.print(["device": .string(live.device.label), "tracks": .array(tracks)] as JSONValue)
    } else {
      print(tracks)
    }
  }

  private func print(_ tracks: [JSONValue]) {
    var table = Table([("ID", .right), ("TYPE", .left), ("LANGUAGE", .left), ("NAME", .left), ("", .left)])
    for track in tracks {
      let kind = [track["type"]?.string, track["subtype"]?.string].compactMap { $0?.lowercased() }
      table.add([
        "\(track["id"]?.int ?? 0)", kind.joined(separator: " "), track["language"]?.string ?? "-",
        track["name"]?.string ?? "-", track["active"]?.bool == true ? "on" : "",
      ])
    }
    table.lines(width: Console.dataWidth).forEach(Console.print)
  }
}

/// `castq style KEY=VALUE…`
struct StyleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "style", abstract: "Change how subtitles look; what is not named stays.",
    discussion: TextStyleText.keys.map { "\($0.key)=\($0.values)" }.joined(separator: "\n"))

  @OptionGroup var global: GlobalOptions

  @Argument(
    help: ArgumentHelp("Such as foreground=#FFFF00FF font-scale=1.2 edge=outline.", valueName: "key=value"))
  var settings: [String]

  func validate() throws { _ = try style() }

  func run() async throws { try await LiveControl(global).perform(.setTextStyle(try style())) }

  private func style() throws -> MediaTextTrackStyle {
    do throws(TextError) { return try TextStyleText.style(settings) } catch {
      throw ValidationError(error.words)
    }
  }
}

/// `castq skip-ad`
struct SkipAdCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip-ad", abstract: "Skip the clip of an ad break, once it may be skipped.")
  @OptionGroup var global: GlobalOptions
  func run() async throws { try await LiveControl(global).perform(.skipAd) }
}
