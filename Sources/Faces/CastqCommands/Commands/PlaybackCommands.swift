import ArgumentParser
import CastqFeeding
import CastqOperations
import CastqText

/// `castq play [ENTRY]`
struct PlayCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Resume, or play an entry of the queue and what follows it.",
    discussion: """
      When nothing plays, a background process feeds the queue, as with 'castq cast'. Entries between the current one and \
      a later ENTRY are skipped; an entry that has played plays again.
      """)

  @OptionGroup var given: GivenOptions

  @Argument(
    help: "Number of the entry, as 'castq queue' shows it under ENTRY; p3 is what stands at POS 3.",
    transform: EntryArgument.init)
  var entry: EntryArgument?

  func run() async throws {
    try await global.forEach { try await LiveControl($0).playNamed(entry) }
  }
}

/// `castq pause`
struct PauseCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause playback; exits 1 when nothing plays.")
  @OptionGroup var given: GivenOptions
  func run() async throws { try await global.forEach { try await LiveControl($0).perform(.pause) } }
}

/// `castq toggle`
struct ToggleCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Pause or resume.")
  @OptionGroup var given: GivenOptions
  func run() async throws { try await global.forEach { try await LiveControl($0).perform(.toggle) } }
}

/// `castq stop`
struct StopCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Stop the media and keep the queue.",
    discussion: """
      Ends the feeder of the device: 'castq run' reports it and exits 0, the background process of 'castq cast' exits. \
      The current entry returns to the queue; 'castq play' resumes it.
      """)

  @OptionGroup var given: GivenOptions

  @Flag(help: "Also close the application, even one that castq did not start.")
  var quit = false

  func run() async throws {
    try await global.forEach { try await LiveControl($0).perform(.stop(quits: quit)) }
  }
}

/// `castq next`
struct NextCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Play the next entry; the current one counts as skipped.")
  @OptionGroup var given: GivenOptions
  func run() async throws { try await global.forEach { try await LiveControl($0).perform(.next) } }
}

/// `castq prev`
struct PreviousCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "prev", abstract: "Play the previous entry; the first entry restarts.",
    aliases: ["previous"])
  @OptionGroup var given: GivenOptions
  func run() async throws { try await global.forEach { try await LiveControl($0).perform(.previous) } }
}

/// `castq seek T|+T|-T|N%`
struct SeekCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "seek", abstract: "Seek to a position: 90, 1:30, +10s, -1m or 50%.")

  @OptionGroup var given: GivenOptions

  @Argument(help: "A position, a step with a sign, or a percentage of the length.")
  var position: String

  func validate() throws { _ = try goal() }

  func run() async throws {
    try await global.forEach { try await LiveControl($0).perform(.seek(try goal())) }
  }

  private func goal() throws -> SeekGoal {
    do throws(TextError) { return try SeekGoal(position) } catch { throw ValidationError(error.words) }
  }
}

/// `castq rate X`
struct RateCommand: CastqCommand {
  static let configuration = CommandConfiguration(
    commandName: "rate", abstract: "Set the playback rate, 0.5 to 2, of the current entry.")

  @OptionGroup var given: GivenOptions

  @Argument(help: ArgumentHelp("1 is normal.", valueName: "x"))
  var rate: String

  func validate() throws {
    guard let number = DecimalText(rate), (0.5...2).contains(number.value) else {
      throw ValidationError("'\(rate)' is not a rate: write a number from 0.5 to 2")
    }
  }

  func run() async throws {
    try await global.forEach { try await LiveControl($0).perform(.rate(DecimalText(rate)?.value ?? 1)) }
  }
}
