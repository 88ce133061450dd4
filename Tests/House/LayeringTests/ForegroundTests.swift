import Testing

/// The fork happens before the runtime of Swift begins, so the C beside it repeats words of the command line.
@Suite("The fork before the program knows the words of the program")
struct ForegroundTests {
  /// The quoted words between a beginning and the next closing bracket.
  private func words(after beginning: String, in path: String) throws -> Set<String> {
    let text = try SourceTree.contents(of: path)
    let start = try #require(text.firstRange(of: beginning)?.upperBound, "\(path) has no \(beginning)")
    let list = text[start...].prefix { $0 != "}" && $0 != "]" }
    let words = list.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    return Set(words.filter { $0.offset % 2 == 1 }.map { String($0.element) })
  }

  @Test("options that take a value are the same in both")
  func options() throws {
    let fork = try words(after: "valued[] = {", in: "Sources/C/CForeground/foreground.c")
    let parser = try words(
      after: "valued: Set<String> = [", in: "Sources/Faces/CastqCommands/Program/ArgumentOrder.swift")
    #expect(fork == parser && fork.contains("--db"))
  }

  @Test("a command that forks does so under all its names")
  func names() throws {
    let forking = try words(after: "commands[] = {", in: "Sources/C/CForeground/foreground.c")
    var unknown = forking
    for path in try SourceTree.paths(under: ["Sources/Faces/CastqCommands"], endingIn: ".swift") {
      let declarations = try SourceTree.contents(of: path).split(separator: "CommandConfiguration(")
        .dropFirst()
      for declaration in declarations {
        let head = declaration[..<(declaration.firstRange(of: "\n\n")?.lowerBound ?? declaration.endIndex)]
        let quoted = head.split(separator: "\"", omittingEmptySubsequences: false)
        guard head.contains("commandName:"), quoted.count > 1, forking.contains(String(quoted[1])) else {
          continue
        }
        unknown.remove(String(quoted[1]))
        guard let aliases = head.firstRange(of: "aliases: [")?.upperBound else { continue }
        for (index, word) in head[aliases...].prefix(while: { $0 != "]" }).split(
          separator: "\"", omittingEmptySubsequences: false
        ).enumerated() where index % 2 == 1 {
          #expect(forking.contains(String(word)), "\(quoted[1]) is also called \(word)")
          unknown.remove(String(word))
        }
      }
    }
    #expect(unknown.isEmpty, "\(unknown) are no commands")
  }
}
