import Testing

@Suite("The page about the architecture speaks of the code there is")
struct ArchitectureTests {
  private static let page = "docs/architecture.md"

  @Test("every name in docs/architecture.md exists")
  func namesExist() throws {
    let names = CodeName.all(in: try SourceTree.contents(of: Self.page), at: Self.page)
    #expect(names.count > 150, "the names were not found")
    let missing = try SourceTree.codeIndex().missing(names)
    #expect(missing.isEmpty, "\(missing.joined(separator: "\n"))")
  }

  @Test("docs/architecture.md names every target")
  func targetsAreNamed() throws {
    let page = try SourceTree.contents(of: Self.page)
    for target in LayerTable.allowed.keys { #expect(page.contains("`\(target)`"), "\(target)") }
  }
}

/// A code span or a diagram, and whether the page may have it where there is nothing but the files below.
struct NameSample: CustomTestStringConvertible {
  let text: String
  var isMissing = false

  var testDescription: String { text.replacing("\n", with: " ⏎ ") }

  static func missing(_ text: String) -> NameSample { NameSample(text: text, isMissing: true) }

  static let index = CodeIndex(
    files: [
      SourceFile(
        path: "Sources/Engine/Motor.swift",
        source: """
          actor Motor {
            enum State { case idle, running(Speed) }
            typealias Rate = Int
            private(set) var speed = 0  // var colour, struct Paint
            let words = "func stop"
          }
          """),
      SourceFile(
        path: "Sources/Engine/Motor+Fuel.swift",
        source: "extension Motor { init?() {} ; static func refuel() {} }"),
      SourceFile(path: "Sources/Engine/Wheel.swift", source: "struct Wheel { func turn() {} }"),
    ],
    paths: ["Sources/Engine", "Sources/Engine/Motor.swift", "docs/a.md"], targets: ["Engine"])

  static let all: [NameSample] = [
    NameSample(text: "`Engine`, `Motor` and `Motor.State`; `Motor.Rate`"),
    NameSample(
      text: "`Motor.speed`, `Motor.refuel()`, `Motor.init`, `Motor.State.idle`, `Motor.State.running(_:)`"),
    NameSample(text: "`Sources/Engine/Motor.swift`, `Motor.swift`, `Sources/Engine/`, `docs/a.md`"),
    NameSample(
      text: "`LOAD`, `castq run`, `play`, `offered_at`, `.load`, `BEGIN IMMEDIATE`, `<db>.media`, Paint"),
    NameSample(text: "```\nidle --start--> Nowhere, NIO, Motor.speed\n```"),
    .missing("`Paint`"),
    .missing("`Motor.colour`"),
    .missing("`Motor.stop()`"),
    .missing("`Motor.turn`"),
    .missing("`Motor.Paint`"),
    .missing("`Motor.Wheel`"),
    .missing("`Mot`"),
    .missing("`Motor.State.walking`"),
    .missing("`Sources/Engine/Paint.swift`"),
    .missing("`otor.swift`"),
    .missing("`Sources/Paint/`"),
    .missing("```\nidle --start--> MotorOil\n```"),
  ]
}

@Suite("The search for names that do not exist can fail, and fails for nothing else")
struct ArchitectureProofTests {
  @Test("a name that nothing has is named by its place", arguments: NameSample.all)
  func judges(_ sample: NameSample) {
    let missing = NameSample.index.missing(CodeName.all(in: sample.text, at: "docs/b.md"))
    #expect(missing.isEmpty != sample.isMissing, "\(missing)")
    #expect(missing.allSatisfy { $0.hasPrefix("docs/b.md:") })
  }
}
