import Foundation
import Testing

/// The design checklist of Google Cast: each of its rules is the name of a test, for the page and for the terminal.
@Suite struct ChecklistTests {
  @Test(
    "each rule of the design checklist is the name of a test, for the page and for the terminal",
    arguments: 1...16)
  func rule(_ number: Int) throws {
    let terminal = try SourceTree.contents(of: "Tests/Faces/CastqTerminalTests/DesignChecklistTests.swift")
    #expect(terminal.contains("\"\(number): "))
    let steps = try SourceTree.paths(under: ["Tests/Foreign/Web"], endingIn: ".py")
      .flatMap { try SourceTree.contents(of: $0).split(separator: "\n") }
      .filter { $0.contains("patient(steps, \"design ") }
    let numbers: [String] = steps.flatMap { step in
      let words = step.components(separatedBy: "\"design ").last?.components(separatedBy: ":").first ?? ""
      return words.components(separatedBy: " and ")
    }
    #expect(numbers.contains("\(number)"), "\(numbers)")
  }
}
