import ArgumentParser
import CastqCommands
import Testing

@Suite("The help of a command")
struct HelpTests {
  private static let commands = HelpPage.commands

  private func page(_ path: [String]) throws -> String {
    do {
      // Help is a command to the parser, which ends by throwing the page.
      var command = try Castq.parseAsRoot(path + ["--help"])
      try command.run()
      Issue.record("help is no command")
      return ""
    } catch {
      return try #require(HelpPage(of: path, from: Castq.fullMessage(for: error))?.text, "\(path)")
    }
  }

  /// The titles of a page's sections, in their order.
  private func titles(_ page: String) -> [Substring] {
    page.split(separator: "\n").filter { $0.first?.isUppercase == true && $0.contains(":") }
      .map { $0.prefix { $0 != ":" && $0 != "(" } }
  }

  @Test(
    "it has its own options, then two examples that the parser accepts, then the options of all commands and the exit codes",
    arguments: commands)
  func page(of path: [String]) throws {
    let page = try page(path)
    let titles = titles(page)
    #expect(titles.suffix(3) == ["EXAMPLES", "OPTIONS OF ALL COMMANDS ", "EXIT CODES"], "\(page)")
    let first = try #require(page.firstRange(of: "EXAMPLES:"))
    #expect(!page[..<first.lowerBound].contains("--db"))
    let examples = try #require(HelpExamples.known[path], "\(path) has no examples").lines
    #expect(examples.count == 2)
    for example in examples {
      for line in try commandLines(example) {
        #expect(line.first == "castq")
        let words = Array(line.dropFirst())
        if path != ["web", "serve"] {
          #expect(words.starts(with: path) || example.contains("|"), "\(example)")
        }
        #expect(throws: Never.self, "\(example)") { try Castq.parseAsRoot(ArgumentOrder.normalized(words)) }
      }
      #expect(page.contains("\n  \(example)\n"))
    }
  }

  /// The command lines of an example, as a shell reads them.
  private func commandLines(_ example: String) throws -> [[String]] {
    var lines: [[String]] = [[]]
    var isRedirected = false
    for (index, part) in example.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        lines[lines.count - 1].append(String(part))
        continue
      }
      for word in part.split(separator: " ") where !isRedirected {
        switch word {
        case "#": return lines
        case "|": lines.append([])
        case _ where word.hasPrefix(">"): isRedirected = true
        default: lines[lines.count - 1].append(String(word))
        }
      }
    }
    return lines
  }

  @Test(
    "a group lists its commands and examples of some; castq itself explains the options of all commands, and each code"
  )
  func groups() throws {
    let device = try page(["device"])
    #expect(
      titles(device).contains("SUBCOMMANDS") && device.contains("\n  castq device add kitchen"), "\(device)")
    let root = try page([])
    #expect(root.contains("-d, --device <sel>") && root.contains("\n  76   the receiver refused"), "\(root)")
    #expect(titles(root).suffix(2) == ["OPTIONS OF ALL COMMANDS", "EXIT CODES"], "\(titles(root))")
  }

  @Test("a usage names the few options that are its own, and the device where a rule needs one")
  func usages() throws {
    #expect(try page(["clear"]).contains("USAGE: castq clear [--stop]\n"))
    #expect(try page(["pause"]).contains("USAGE: castq pause\n"))
    #expect(try page(["devices"]).contains("USAGE: castq devices [--scan [<duration>]]\n"))
    #expect(try page(["devices"]).contains("5s)\n"))
    #expect(try page(["schedule", "add"]).contains("-d <sel>"))
  }
}
