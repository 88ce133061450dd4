import ArgumentParser
import CastProtocol
import CastqFeeding
import CastqOperations
import CastqOutput
import CastqText

/// `castq tracks [--on ID…] [--off]`
struct TracksCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracks", abstract: "List the tracks of the current entry, or choose among them.",
    discussion:
      "Activating a track deactivates others of its type; the audio track stays unless another is chosen."
  )

  @OptionGroup var given: GivenOptions

  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("Activate the tracks with these IDs.", valueName: "id"))
  var on: [Int] = []

  @Flag(help: "Hide all text tracks.")
  var off = false

  func run() async throws { try await global.forEach(choose) }

  private func choose(_ global: CallOptions) async throws {
    let live = try await LiveControl(global)
    let isListing = on.isEmpty && !off
    var reply = PlaybackReply(device: live.device)
    if isListing {
      reply.told = try await live.told("tracks", .readTracks)
    } else {
      reply = try await live.perform(.tracks(TrackChoice(on: on, hidesText: off)))
    }
    guard isListing || global.isMachineReadable, let tracks = reply.told?.value.array else { return }
    if global.jsonl {
      for track in tracks { Console.print(track) }
    } else if global.json {
      Console.print(reply.json)
    } else {
      print(tracks)
    }
  }

  private func print(_ tracks: [JSONValue]) {
    var table = Table([
      ("ID", .right), ("TYPE", .left), ("LANGUAGE", .flexible), ("NAME", .flexible), ("", .left),
    ])
    for track in tracks {
      let kind = [track["type"]?.string, track["subtype"]?.string].compactMap { $0?.lowercased() }
      table.add([
        "\(track["id"]?.int ?? 0)", kind.joined(separator: " "), track["language"]?.string ?? "-",
        track["name"]?.string ?? "-", track["active"]?.bool == true ? "on" : "",
      ])
    }
    table.lines(on: Console.dataTerminal).forEach(Console.print)
  }
}

/// `castq style KEY=VALUE…`
struct StyleCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "style", abstract: "Change the text track style; keys that are not given stay.",
    discussion: TextStyleText.keys.map { "\($0.key)=\($0.values)" }.joined(separator: "\n"))

  @OptionGroup var given: GivenOptions

  @Argument(
    help: ArgumentHelp("Such as foreground=#FFFF00FF font-scale=1.2 edge=outline.", valueName: "key=value"))
  var settings: [String]

  func validate() throws { _ = try style() }

  func run() async throws {
    try await global.forEach { try await LiveControl($0).perform(.style(try style())) }
  }

  private func style() throws -> MediaTextTrackStyle {
    do throws(TextError) { return try TextStyleText.style(settings) } catch {
      throw ValidationError(error.words)
    }
  }
}

/// `castq skip-ad`
struct SkipAdCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip-ad", abstract: "Skip the current ad clip, once it is skippable.")
  @OptionGroup var given: GivenOptions
  func run() async throws { try await global.forEach { try await LiveControl($0).perform(.skipAd) } }
}
