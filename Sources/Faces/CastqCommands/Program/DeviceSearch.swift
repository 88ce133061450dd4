import CastqDaemon
import CastqOperations
import CastqStore
import CastqText
import Glibc

/// Finds the device of a `castq cast` that names none: the default or the only one, else one on the network. Of several, a person at a
/// terminal chooses.
struct DeviceSearch {
  let workspace: Workspace
  let global: CallOptions
  /// Whether standard input is free for an answer.
  let mayAsk: Bool

  /// How long the first answer is waited for.
  private static let patience = Duration.seconds(5)
  /// How long others may answer after the first one.
  private static let rest = Duration.milliseconds(1500)

  func device() async throws(Failure) -> KnownDevice {
    try global.checkOne()
    guard try global.meantDevice() == nil, !global.isServing else {
      return try await workspace.device(global, adding: true)
    }
    do throws(StoreError) { return try workspace.knownDevice(nil) } catch {
      switch error {
      case .noDevice: return try await search(unless: error)
      case .noDefault:
        let all = try workspace.ask { (here) throws(StoreError) in try here.devices.all() }
        let picked = all.filter(\.isPicked)
        return try choose(from: picked.isEmpty ? all : picked)
      default: throw workspace.failure(error)
      }
    }
  }

  private func search(unless error: StoreError) async throws(Failure) -> KnownDevice {
    // A device may be missing because the file that names it is broken.
    let failure = workspace.failure(error)
    if failure.exit == .configuration { throw failure }
    let isShown = Console.talksToTerminal && !global.quiet
    if isShown { Console.redraw("searching for devices…") }
    let scan = await Discovery.finder().firstAnswers(within: Self.patience, andFor: Self.rest)
    if isShown { Console.redraw("") }
    let found = try workspace.keep(scan.devices)
    guard !found.isEmpty else {
      throw Failure(
        "device_unknown", "no device was found: \(Discovery.words(for: scan.problems))", exit: .deviceUnknown)
    }
    return try choose(from: found)
  }

  /// The only device, or the one that the person chooses.
  private func choose(from devices: [KnownDevice]) throws(Failure) -> KnownDevice {
    let choice = devices.count == 1 ? devices[0] : canAsk ? ask(devices) : nil
    guard let choice else {
      throw workspace.failure(.noDefault(candidates: devices.map(\.label)))
    }
    return try workspace.ask { (here) throws(StoreError) in
      try here.devices.pick(choice)
      return try here.devices.device(choice.id) ?? choice
    }
  }

  private var canAsk: Bool {
    mayAsk && !global.isMachineReadable && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  }

  /// Nil when the person gives no answer.
  private func ask(_ devices: [KnownDevice]) -> KnownDevice? {
    for (index, device) in devices.enumerated() {
      let facts = [device.model, "\(device.endpoint)"].compactMap(\.self).joined(separator: ", ")
      Console.say(
        "\(String(repeating: " ", count: index < 9 ? 1 : 0))\(index + 1)  \(device.label)  (\(facts))")
    }
    while true {
      Console.prompt("Which device? 1 to \(devices.count): ")
      guard let answer = readLine() else {
        Console.say("")
        return nil
      }
      let words = answer.split(separator: " ").joined(separator: " ").lowercased()
      if let number = Int(words), devices.indices.contains(number - 1) { return devices[number - 1] }
      if let named = devices.first(where: { $0.label.lowercased() == words }) { return named }
    }
  }
}
