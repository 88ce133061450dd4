import CastPresentation
import CastSender

// sample: cast-button
/// The Cast button as a word with a sign, for a status line.
func castButton(_ model: CastButtonModel) -> String {
  let sign =
    switch model.state {
    case .noDevices, .notConnected: "[ ]"
    case .connecting, .suspended: "[~]"
    case .connected: "[#]"
    }
  return model.explanation.map { "\(sign) \(model.label) (\($0))" } ?? "\(sign) \(model.label)"
}
// end sample

// sample: chooser-lines
/// The lines of the dialog, whatever it shows.
func lines(of chooser: DeviceChooserModel) -> [String] {
  switch chooser.face {
  case .devices(let rows):
    [chooser.title] + rows.map { row in row.activity.map { "\(row.name): \($0)" } ?? row.name }
  case .noneFound(let none): [none.reason] + none.nextSteps
  case .connecting(let progress): [progress.text]
  case .connected(let device):
    [chooser.title, device.title, device.subtitle, device.volume.explanation].compactMap { $0 }
  }
}
// end sample

// sample: choose-by-name
/// Casts to the device with this name, as soon as it is found.
func cast(to name: String, with presenter: CastPresenter) async throws(PresentationFailure) {
  presenter.send(.pressCastButton)
  for await snapshot in presenter.snapshots() {
    guard case .devices(let rows) = snapshot.deviceChooser.face,
      let row = rows.first(where: { $0.name == name })
    else { continue }
    return try await presenter.perform(.chooseDevice(row.id))
  }
}
// end sample

// sample: output-lines
/// The lines of the output switcher: the members of a group, and where else it could play.
func outputLines(of chooser: DeviceChooserModel) -> [String] {
  guard case .connected(let device) = chooser.face else { return [] }
  let outputs = device.outputs
  if let progress = outputs.progressText { return [progress] }
  let members = outputs.members.map { "\($0.name): \($0.isMuted ? 0 : $0.level ?? 0)" }
  return members + outputs.targets.map { "Move to \($0.name)" }
}

/// Moves what plays to the device with this name.
/// - Returns: the error as a line; nil when it plays there, and when there is no such device.
func moveStream(to name: String, with presenter: CastPresenter) async -> String? {
  guard case .connected(let device) = presenter.snapshot.deviceChooser.face,
    let target = device.outputs.targets.first(where: { $0.name == name })
  else { return nil }
  do {
    try await presenter.perform(device.outputs.intent(for: target))
    return nil
  } catch {
    return error.line
  }
}
// end sample

// sample: introduction-options
/// An introduction in other words, at another place.
func introducedOptions() -> PresentationOptions {
  var options = PresentationOptions()
  options.introduction?.title = "Play it on the big screen"
  options.introduction?.titlePosition = IntroductionOptions.Position(x: 0.5, y: 0.2)
  options.introduction?.dismissText = "Close"
  return options
}
// end sample

// sample: mini-line
/// The mini controller as one line; nil while it is not seen.
func line(of mini: MiniControllerModel) -> String? {
  guard mini.isVisible else { return nil }
  let text = [mini.title, mini.subtitle].compactMap { $0 }.joined(separator: ", ")
  return mini.isLoading ? "\(text) …" : "\(text) [\(mini.control.label)]"
}
// end sample

// sample: expanded-options
/// Four buttons of a program for music, one of them its own.
func musicOptions() -> PresentationOptions {
  var options = PresentationOptions()
  options.expandedControllerButtons = [.skipPrevious, .skipNext, .muteToggle, .custom("Lyrics")]
  options.opensExpandedControllerAutomatically = true
  return options
}
// end sample

// sample: press-key
/// Does what a key stands for.
/// - Returns: the error as a line; nil when it was done.
func press(_ key: Character, with presenter: CastPresenter) async -> String? {
  let intents: [Character: PresentationIntent] = [
    " ": .togglePlayback, "n": .skipToNext, "p": .skipToPrevious, "l": .skip(by: 10), "j": .skip(by: -10),
    "+": .pressVolumeKey(1), "-": .pressVolumeKey(-1), "c": .toggleCaptions, "D": .pressCastButton,
  ]
  guard let intent = intents[key] else { return nil }
  do {
    try await presenter.perform(intent)
    return nil
  } catch {
    return error.line
  }
}
// end sample

// sample: machine
/// A face without a session: something else watches the device and carries out the commands.
struct WatchingFace {
  var machine = PresentationMachine()
  var commands: [PresentationCommand] = []

  mutating func handle(_ event: PresentationEvent, at now: Tick) {
    for action in machine.handle(event, at: now) {
      if case .perform(let command, for: _) = action { commands.append(command) }
    }
  }
}
// end sample

// sample: style
/// A style in code: another tint everywhere, and a dark mini controller in both schemes.
func houseStyle() -> PresentationStyle {
  var style = PresentationStyle()
  style.set(StyleColor(red: 0, green: 102, blue: 85), for: .activeTint)
  style.set(StyleColor("#101418"), for: .background, in: .miniController)
  style.set(StyleColor("#F2F4F7"), for: .text, in: .miniController)
  style.set(PresentationStyle.Font(size: 22, family: "Inter", isBold: true), for: .title)
  return style
}
// end sample

// sample: style-json
/// The style of a configuration file.
func style(of file: String) throws -> PresentationStyle {
  try PresentationStyle(json: JSONValue(parsing: file))
}
// end sample
