import ArgumentParser
import CastProtocol
import CastqFeeding
import CastqOperations
import CastqText

/// `castq volume [N|+N|-N]`
struct VolumeCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Print or set the device volume.",
    discussion:
      "Levels are integers from 0 to 100, or fractions with a point such as 0.55; with a sign, steps.")

  @OptionGroup var given: GivenOptions

  @Argument(help: ArgumentHelp("A level, or a step with a sign.", valueName: "n"))
  var level: String?

  func validate() throws { _ = try change() }

  func run() async throws {
    if level == nil { try global.checkOne() }
    try await global.forEach(set)
  }

  private func set(_ global: CallOptions) async throws {
    let live = try await LiveControl(global)
    let change = try change()
    var reply = PlaybackReply(device: live.device)
    if let change {
      reply = try await live.perform(.volume(change))
    } else {
      reply.told = try await live.told("volume", .readVolume)
    }
    guard let volume = reply.told?.value else { return }
    if global.isMachineReadable {
      Console.print(reply.json)
    } else if change == nil {
      Console.print("\(volume["level"]?.int ?? 0)")
    }
  }

  private func change() throws -> VolumeText? {
    guard let level else { return nil }
    do throws(TextError) { return try VolumeText(level) } catch { throw ValidationError(error.words) }
  }
}

/// `castq mute`
struct MuteCommand: CastqCommand {
  static let configuration = CommandConfiguration(commandName: "mute", abstract: "Mute the device.")
  @OptionGroup var given: GivenOptions
  func run() async throws { try await global.forEach { try await LiveControl($0).perform(.mute(true)) } }
}

/// `castq unmute`
struct UnmuteCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "unmute", abstract: "Unmute the device.")
  @OptionGroup var given: GivenOptions
  func run() async throws { try await global.forEach { try await LiveControl($0).perform(.mute(false)) } }
}
