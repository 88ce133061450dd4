import Testing

@Suite("The house keeps its own rules")
struct LayeringTests {
  @Test("every file of the project keeps", arguments: Rule.all)
  func everyFileKeeps(_ rule: Rule) throws {
    let files = try SourceTree.swiftFiles.get()
    #expect(files.count > 20, "the sources were not found")
    let broken = files.flatMap(rule.violations)
    #expect(broken.isEmpty, "\(rule.name):\n\(broken.joined(separator: "\n"))")
  }

  @Test("the table of layers names the targets there are, each in its neighbourhood, no more and no fewer")
  func tableIsComplete() throws {
    let table = LayerTable.neighbourhoods.flatMap { place in place.targets.keys.map { ($0, place.name) } }
    #expect(try SourceTree.targets(of: "Sources") == Dictionary(table) { one, _ in one })
  }

  @Test("a target sees its own neighbourhood and those that this may see")
  func neighbourhoodsKeepApart() {
    let homes: [String: String] = LayerTable.neighbourhoods.reduce(into: [:]) { homes, place in
      for target in place.targets.keys { homes[target] = place.name }
    }
    for place in LayerTable.neighbourhoods {
      for (target, imports) in place.targets {
        let seen = Set(imports.compactMap { homes[$0] }).subtracting([place.name])
        #expect(seen.isSubset(of: place.sees), "\(target) sees \(seen.subtracting(place.sees))")
      }
    }
  }

  @Test("an arrow between layers has no arrow back")
  func layersHaveNoCycle() {
    var resolved: Set<String> = []
    var waiting = LayerTable.allowed.mapValues { $0.intersection(LayerTable.allowed.keys) }
    while case let ready = waiting.filter({ $0.value.isSubset(of: resolved) }).keys, !ready.isEmpty {
      resolved.formUnion(ready)
      for target in ready { waiting[target] = nil }
    }
    #expect(waiting.isEmpty, "these import each other: \(waiting.keys.sorted())")
  }

  @Test("a phase of the feeder begins in one file: no file writes another file's phase")
  func phasesHaveOneFile() throws {
    var files: [Substring: Set<String>] = [:]
    for file in try SourceTree.swiftFiles.get()
    where file.path.contains(/\/FeederMachine\+[A-Z][A-Za-z]*\.swift$/) {
      for begun in file.source.matches(of: /\bphase = \.([a-z]+)/) {
        files[begun.1, default: []].insert(file.path)
      }
    }
    #expect(files.count >= 9, "\(files.keys.sorted())")
    #expect(files.allSatisfy { $0.value.count == 1 }, "\(files.filter { $0.value.count > 1 })")
  }

  @Test("no driver of a foreign sender sleeps")
  func driversDoNotSleep() throws {
    for path in try SourceTree.paths(endingIn: ".py") + SourceTree.paths(endingIn: ".sh") {
      let source = try SourceTree.contents(of: path)
      #expect(!source.contains(/\bsleep\s*\(|^\s*sleep\s/.anchorsMatchLineEndings()), "\(path) sleeps")
    }
  }
}
