import ArgumentParser
import CastProtocol
import CastqText

/// The help of a command as castq prints it: its own options, two examples, the names of the options that all commands have, and its
/// exit codes.
///
/// The parser lists the options of all commands before those of the command, and knows neither examples nor exit codes.
package struct HelpPage {
  /// Every command with something to run, by the words of its name; commands that are hidden are left out.
  package static var commands: [[String]] { leaves(below: Castq.self, []) }

  private let type: any ParsableCommand.Type
  private let path: [String]
  /// As the parser writes it.
  private let generated: String

  /// - Parameters:
  ///   - path: the words of a command's name; empty for the program itself.
  ///   - generated: the parser's message; a page is made of nothing else than the help of that command.
  /// - Returns: nil if the message is not the help of the command.
  package init?(of path: [String], from generated: String) {
    guard let type = CommandWords.type(at: path), generated == Castq.helpMessage(for: type) else {
      return nil
    }
    self.type = type
    self.path = path
    self.generated = generated
  }

  /// The page of the command that a command line asks about; the parser's message where it is something else, such as the version.
  static func text(_ generated: String, asked arguments: [String]) -> String {
    let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
    guard case .command(let path) = CommandWords.read(words) else { return generated }
    return HelpPage(of: path, from: generated)?.text ?? generated
  }

  package var text: String {
    var sections = generated.split(separator: "\n\n", omittingEmptySubsequences: false).map(String.init)
    let ending = sections.last?.hasPrefix("  See '") == true ? sections.removeLast() : nil
    let shared = Self.shared
    var own: [String] = []
    if let index = sections.firstIndex(where: { $0.hasPrefix(Self.optionsTitle) }) {
      own = Self.elements(of: sections[index]).filter { !shared.contains($0) }
      let text = Self.optionsTitle + own.joined(separator: "\n")
      sections.replaceSubrange(index...index, with: own.isEmpty ? [] : [text])
    }
    if let index = sections.firstIndex(where: { $0.hasPrefix("USAGE: ") }), type.configuration.usage == nil {
      sections[index] = Self.usage(sections[index], own)
    }
    sections = sections.map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }
    if !examples.isEmpty {
      sections.append("EXAMPLES:\n" + examples.map { "  \($0)" }.joined(separator: "\n"))
    }
    sections.append(path.isEmpty ? Self.allOptions(shared) : Self.names(of: shared))
    sections.append("EXIT CODES:\n" + codes.map(Self.line).joined(separator: "\n"))
    if !path.isEmpty { sections[sections.count - 1] += "\n  'castq help' lists all of them" }
    return (sections + [ending].compactMap(\.self)).joined(separator: "\n\n")
  }

  /// Command lines as they may be typed, with a comment behind some; those of a group are of its commands.
  private var examples: [String] { Self.examples(of: path, type) }

  private var codes: [ExitStatus] { Self.codes(of: path, type) }

  // MARK: - The dump

  /// The parser's description of all commands (`--experimental-dump-help`), with `examples` and `exitCodes` of each: what manual pages and
  /// the list of commands are made of.
  static func dump(_ generated: String) -> String {
    guard case .object(var document)? = try? JSONValue(parsing: generated), let root = document["command"]
    else {
      return generated
    }
    document["command"] = completed(root, [])
    return JSONValue.object(document).text
  }

  private static func completed(_ command: JSONValue, _ path: [String]) -> JSONValue {
    guard case .object(var members) = command, let type = CommandWords.type(at: path) else { return command }
    members["examples"] = .array(examples(of: path, type).map(JSONValue.string))
    members["exitCodes"] = .array(
      codes(of: path, type).map { ["code": .integer(Int64($0.rawValue)), "words": .string($0.words)] })
    members["subcommands"] = command["subcommands"]?.array.map { children in
      .array(children.map { completed($0, path + [$0["commandName"]?.string ?? ""]) })
    }
    return .object(members)
  }

  // MARK: - Parts

  private static let optionsTitle = "OPTIONS:\n"

  /// The options that every command has, as `castq pause` has no others.
  private static var shared: [String] {
    let page = Castq.helpMessage(for: PauseCommand.self)
    return page.split(separator: "\n\n").first { $0.hasPrefix(optionsTitle) }.map { elements(of: String($0)) }
      ?? []
  }

  /// Each option of a section with its words, as lines.
  private static func elements(of section: String) -> [String] {
    var elements: [String] = []
    for line in section.split(separator: "\n").dropFirst() {
      if line.hasPrefix("  -") || elements.isEmpty {
        elements.append(String(line))
      } else {
        elements[elements.count - 1] += "\n\(line)"
      }
    }
    return elements
  }

  /// `-d, --device <sel>` of an option's lines.
  private static func label(_ element: String) -> String {
    let line = element.prefix { $0 != "\n" }.drop { $0 == " " }
    // The words begin in a column of their own.
    return line.split(separator: "  ", maxSplits: 1).first.map(String.init) ?? String(line)
  }

  private static func allOptions(_ options: [String]) -> String {
    "OPTIONS OF ALL COMMANDS:\n" + options.joined(separator: "\n")
  }

  private static func names(of options: [String]) -> String {
    var lines = [""]
    for name in options.map(label) {
      let isFull = lines[lines.count - 1].utf8.count + name.utf8.count > 74
      if isFull { lines.append("") }
      lines[lines.count - 1] += lines[lines.count - 1].isEmpty ? name : "  \(name)"
    }
    return "OPTIONS OF ALL COMMANDS ('castq help' explains them):\n"
      + lines.map { "  \($0)" }.joined(separator: "\n")
  }

  /// The parser writes `<options>` where there are more than twelve; the command's own are named where they are few.
  private static func usage(_ section: String, _ own: [String]) -> String {
    let labels: [String] = own.map { label($0).split(separator: ", ").last.map { String($0) } ?? "" }
    let names = labels.filter { !section.contains($0) }
    let words = names.count > 6 ? "[<options>]" : names.map { "[\($0)]" }.joined(separator: " ")
    let given = words.isEmpty ? "" : " \(words)"
    for placeholder in [" [<options>]", " <options>"] where section.contains(placeholder) {
      return section.replacing(placeholder, with: given)
    }
    // Twelve are listed: those of all commands.
    guard let first = section.firstRange(of: " [--device"), let last = section.firstRange(of: "[--system]")
    else {
      return section
    }
    return section[..<first.lowerBound] + given + section[last.upperBound...]
  }

  private static func line(_ code: ExitStatus) -> String {
    let number = "\(code.rawValue)"
    return "  \(number)\(String(repeating: " ", count: max(5 - number.utf8.count, 1)))\(code.words)"
  }

  // MARK: - Facts

  private static func examples(of path: [String], _ type: any ParsableCommand.Type) -> [String] {
    if let known = HelpExamples.known[path] { return known.lines }
    return shownChildren(of: type).lazy.compactMap { child -> String? in
      let name = CommandWords.names(of: child)[0]
      return examples(of: path + [name], child).first
    }.prefix(3).map(\.self)
  }

  private static func codes(of path: [String], _ type: any ParsableCommand.Type) -> [ExitStatus] {
    if path.isEmpty { return ExitStatus.allCases }
    if let known = HelpExamples.known[path] { return known.codes }
    let below = shownChildren(of: type).flatMap { child in
      codes(of: path + [CommandWords.names(of: child)[0]], child)
    }
    return ExitStatus.allCases.filter { below.contains($0) }
  }

  private static func shownChildren(of type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
  }

  private static func leaves(below type: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
    let children = shownChildren(of: type)
    if children.isEmpty { return [path] }
    return children.flatMap { leaves(below: $0, path + [CommandWords.names(of: $0)[0]]) }
  }
}
