import ArgumentParser
import CastProtocol
import CastqCore
import CastqStore

/// `castq volume [N|+N|-N]`
struct VolumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Print or set the device volume.",
    discussion:
      "Levels are integers from 0 to 100, or fractions with a point such as 0.55; with a sign, steps.")

  @OptionGroup var global: GlobalOptions

  @Argument(help: ArgumentHelp("A level, or a step with a sign.", valueName: "n"))
  var level: String?

  func validate() throws { _ = try change() }

  func run() async throws {
    if level == nil { try global.checkOne() }
    try await global.forEach(set)
  }

  private func set(_ global: GlobalOptions) async throws {
    let live = try await LiveControl(global)
    let change = try change()
    let result = try await live.perform(change.map { .setVolume($0) } ?? .volume)
    guard let volume = result["volume"] else { return }
    if global.isMachineReadable {
      Console.print(["device": .string(live.device.label), "volume": volume] as JSONValue)
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
struct MuteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "mute", abstract: "Mute the device.")
  @OptionGroup var global: GlobalOptions
  func run() async throws { try await global.forEach { try await LiveControl($0).perform(.setMuted(true)) } }
}

/// `castq unmute`
struct UnmuteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unmute", abstract: "Unmute the device.")
  @OptionGroup var global: GlobalOptions
  func run() async throws { try await global.forEach { try await LiveControl($0).perform(.setMuted(false)) } }
}
