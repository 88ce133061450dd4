import ArgumentParser

/// Allows global options before the command: `castq -d lobby run list.m3u`.
///
/// The parser expects options after the command's name, so leading ones are moved there. Nothing else changes.
package enum ArgumentOrder {
  /// Global options that take a value.
  static let valued: Set<String> = [
    "-d", "--device", "--db", "--config", "--timeout", "--app", "--advertise", "--media-port",
  ]
  /// Global options without a value.
  static let flags: Set<String> = [
    "--json", "--jsonl", "-q", "--quiet", "-v", "-vv", "--verbose", "--no-daemon",
    SystemService.option,
  ]

  /// Commands whose argument may be a negative step, or a time before now.
  private static let stepping: Set<String> = ["seek", "volume", "why", "rate"]

  package static func normalized(_ arguments: [String]) -> [String] {
    daysJoined(stepsLast(commandFirst(arguments)))
  }

  /// The parser gives an option one value, and forgets which option came first. The two values of `daypart add --on DAYS TIMES` become
  /// one, and `--closed DAYS` becomes `--on "DAYS closed"`.
  private static func daysJoined(_ arguments: [String]) -> [String] {
    guard arguments.first == "daypart", !arguments.contains("--") else { return arguments }
    var joined: [String] = []
    var index = arguments.startIndex
    while index < arguments.endIndex {
      let halves = arguments[index].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = String(halves[0])
      var count = option == "--on" ? 2 : option == "--closed" ? 1 : 0
      var values = count > 0 ? halves.dropFirst().map(String.init) : []
      guard count > 0 else {
        joined.append(arguments[index])
        index += 1
        continue
      }
      count -= values.count
      index += 1
      while count > 0, index < arguments.endIndex, !arguments[index].hasPrefix("-") {
        values.append(arguments[index])
        (count, index) = (count - 1, index + 1)
      }
      if count > 0 { return arguments }
      if option == "--closed" { values.append("closed") }
      joined += ["--on", values.joined(separator: " ")]
    }
    return joined
  }

  /// A negative step such as `-10s` looks like an option, so it moves to the end, after `--`; of two arguments, only the second one.
  private static func stepsLast(_ arguments: [String]) -> [String] {
    guard let command = arguments.first, !arguments.contains("--"),
      let index = arguments.firstIndex(where: isStepBack)
    else { return arguments }
    let isSecond = ["move", "mv"].contains(command) && index == 2
    guard stepping.contains(command) || isSecond else { return arguments }
    if isSecond {
      let (named, rest) = (arguments[1...2], arguments.dropFirst(3))
      return [command] + rest + ["--"] + named
    }
    return arguments[..<index] + arguments[(index + 1)...] + ["--", arguments[index]]
  }

  /// The first argument that is a step back, such as `-1h`; what stands behind `--` is none.
  static func stepBack(in arguments: [String]) -> String? {
    arguments.prefix { $0 != "--" }.first(where: isStepBack)
  }

  private static func isStepBack(_ argument: String) -> Bool {
    guard argument.utf8.first == UInt8(ascii: "-"), let second = argument.utf8.dropFirst().first else {
      return false
    }
    return (0x30...0x39).contains(second) || second == UInt8(ascii: ".")
  }

  /// `-dlobby`: the device joined to its option.
  private static func isJoined(_ argument: String) -> Bool {
    argument.hasPrefix("-d") && argument != "-d" && !argument.hasPrefix("-d=")
  }

  /// The first argument that is no global option and no value of one; nil where there is none.
  static func commandWord(_ arguments: [String]) -> String? {
    let end = endOfGlobalOptions(arguments)
    return end < arguments.endIndex ? arguments[end] : nil
  }

  /// Whether all arguments are global options.
  static func namesNothing(_ arguments: [String]) -> Bool {
    endOfGlobalOptions(arguments) == arguments.endIndex
  }

  private static func endOfGlobalOptions(_ arguments: [String]) -> Int {
    var index = arguments.startIndex
    while index < arguments.endIndex {
      let argument = arguments[index]
      let name = argument.split(separator: "=", maxSplits: 1).first.map(String.init) ?? argument
      if flags.contains(argument) || isJoined(argument) || (valued.contains(name) && name != argument) {
        index += 1
      } else if valued.contains(argument), index + 1 < arguments.endIndex {
        index += 2
      } else {
        break
      }
    }
    return index
  }

  private static func commandFirst(_ arguments: [String]) -> [String] {
    let end = endOfGlobalOptions(arguments)
    guard end > 0, end < arguments.endIndex, !arguments[end].hasPrefix("-") else { return arguments }
    // A name may have two words or three: `report plays`, `web token add`.
    var command = [arguments[end]]
    var children = Castq.configuration.subcommands
    while let group = children.first(where: { CommandWords.names(of: $0).contains(command.last ?? "") }),
      !group.configuration.subcommands.isEmpty, end + command.count < arguments.endIndex,
      !arguments[end + command.count].hasPrefix("-")
    {
      children = group.configuration.subcommands
      command.append(arguments[end + command.count])
    }
    return command + arguments[..<end] + arguments[(end + command.count)...]
  }
}
