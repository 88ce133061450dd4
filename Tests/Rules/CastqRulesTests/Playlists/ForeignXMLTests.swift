import CastProtocol
import CastXML
import Testing
@testable import CastqPlaylists
@testable import CastqText

/// Extensions of XSPF whose attributes have namespaces.
@Suite("Namespaces in what lists say to other players")
struct ForeignXMLTests {
  /// An element with names that do not depend on prefixes: `{address}name`.
  private struct Node: Equatable, CustomStringConvertible {
    var name: String
    var attributes: [String] = []
    var children: [Node] = []

    var description: String { "\(name)\(attributes)\(children)" }
  }

  /// The content of the extensions of a list, with all prefixes resolved here and not by what is tested.
  private func extensions(_ text: String) -> [Node] {
    var reader = XMLReader(Array(text.utf8))
    var open = [Node(name: "")]
    var scopes: [[String: String]] = [[:]]
    while let token = reader.next() {
      switch token {
      case .start(let element):
        var scope = scopes[scopes.count - 1]
        for (name, value) in element.attributes where name.hasPrefix("xmlns:") {
          scope[String(name.dropFirst(6))] = value
        }
        scopes.append(scope)
        let attributes = element.attributes.filter { $0.name != "xmlns" && !$0.name.hasPrefix("xmlns:") }
          .map { attribute in
            let parts = attribute.name.split(separator: ":").map(String.init)
            let name = parts.count == 2 ? "{\(scope[parts[0]] ?? "?")}\(parts[1])" : attribute.name
            return "\(name)=\(attribute.value)"
          }
        open.append(
          Node(name: "{\(element.namespace ?? "?")}\(element.name)", attributes: attributes.sorted()))
      case .text: break
      case .end:
        let node = open.removeLast()
        scopes.removeLast()
        open[open.count - 1].children.append(node)
      }
    }
    func find(_ node: Node) -> [Node] {
      node.name.hasSuffix("}extension") ? node.children : node.children.flatMap(find)
    }
    return find(open[0])
  }

  private func export(_ text: String, as format: PlaylistFormat = .xspf) -> (text: String, messages: [String])
  {
    let parsed = MemoryLoader(["list.xspf": text]).read("list.xspf")
    return (PlaylistWriter(parsed.playlist, as: format).text, parsed.messages)
  }

  private func list(_ content: String, declaring: String = "") -> String {
    """
    <playlist version="1" xmlns="http://xspf.org/ns/0/"\(declaring)><trackList><track>
    <location>http://h/a.mp3</location><extension application="urn:app">\(content)</extension>
    </track></trackList></playlist>
    """
  }

  @Test("attributes with a prefix come back with its namespace, declared where it is needed")
  func prefixed() {
    let text = list(
      #"<p:cue p:at="1" q:at="2" at="3" xml:lang="de"><p:sub q:k="x"/></p:cue><p:cue q:at="4"/>"#,
      declaring: #" xmlns:p="urn:p" xmlns:q="urn:q""#)
    let (written, messages) = export(text)
    #expect(messages == [])
    #expect(extensions(written) == extensions(text), "\(written)")
    #expect(
      written.contains(
        #"<cue xmlns="urn:p" xmlns:p="urn:p" xmlns:q="urn:q" p:at="1" q:at="2" at="3" xml:lang="de"><sub q:k="x"></sub></cue>"#
      ), "\(written)")
    #expect(export(written).text == written)
  }

  @Test("a prefix that only a value uses, or that the extension declares itself, is declared still")
  func values() {
    let text = list(
      #"<x:v xmlns:t="urn:unused" xsi:type="k:Kind">t:word</x:v>"#,
      declaring: #" xmlns:x="urn:x" xmlns:k="urn:k" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance""#)
    let (written, messages) = export(text)
    #expect(messages == [])
    for part in [#"xmlns:k="urn:k""#, #"xmlns:t="urn:unused""#, #"xsi:type="k:Kind""#] {
      #expect(written.contains(part), "\(written)")
    }
    #expect(extensions(written) == extensions(text))
  }

  @Test("a prefix that nothing declares cannot be kept, and is named")
  func undeclared() {
    let (written, messages) = export(list(#"<a z:k="1"/>"#))
    #expect(messages == ["2:36: warning: `extension` is not kept for export"])
    #expect(!written.contains("extension"))
  }

  @Test("members of an extension of JSPF keep their prefixes, which are names there")
  func json() {
    let text =
      #"{"playlist": {"track": [{"location": "http://h/a.mp3", "extension": {"urn:a": [{"p:k": {"@q:v": 1}}]}}]}}"#
    let loader = MemoryLoader(["list.jspf": text])
    let parsed = loader.read("list.jspf")
    #expect(parsed.messages == [])
    let written = PlaylistWriter(parsed.playlist, as: .jspf).text
    #expect(written.contains(#""p:k""#) && written.contains(#""@q:v""#), "\(written)")
    let again = MemoryLoader(["list.jspf": written]).read("list.jspf")
    #expect(again.playlist.withoutPlaces == parsed.playlist.withoutPlaces)
  }

  /// Writes random elements, whose prefixes are declared anywhere around them, and often again with another meaning.
  private struct Writer {
    var random: SeededGenerator
    private static let prefixes = ["p", "q", "vlc", "é"]

    mutating func declarations(_ scope: inout [String: String]) -> String {
      var text = ""
      for prefix in Self.prefixes where Int.random(in: 0..<4, using: &random) == 0 {
        let address = "urn:\(Int.random(in: 0..<3, using: &random))&\""
        scope[prefix] = address
        text += " xmlns:\(prefix)=\"\(XMLFragment.escaped(address, inQuotes: true))\""
      }
      return text
    }

    mutating func element(_ scope: [String: String], depth: Int) -> String {
      var scope = scope
      var attributes = declarations(&scope)
      if Int.random(in: 0..<4, using: &random) == 0 {
        attributes += " xmlns=\"urn:default\(Int.random(in: 0..<2, using: &random))\""
      }
      var names: Set<String> = []
      // Two prefixes of one namespace may not say the same name.
      for prefix in [""] + scope.keys.sorted() where Bool.random(using: &random) {
        let name = "k\(Int.random(in: 0..<3, using: &random))"
        guard names.insert("\(scope[prefix] ?? "") \(name)").inserted else { continue }
        attributes += " \(prefix.isEmpty ? "" : prefix + ":")\(name)=\"\(prefix):&lt;&quot;v\""
      }
      let prefix = scope.keys.sorted().randomElement(using: &random).map { "\($0):" } ?? ""
      let name = (Bool.random(using: &random) ? prefix : "") + "e"
      var content = "t "
      if depth < 4 {
        for _ in 0..<Int.random(in: 0...2, using: &random) { content += element(scope, depth: depth + 1) }
      }
      return "<\(name)\(attributes)>\(content)</\(name)>"
    }
  }

  @Test("whatever an extension declares, import and export keep what it means", arguments: 0..<20)
  func property(seed: Int) throws {
    var writer = Writer(random: SeededGenerator(seed: UInt64(seed)))
    for _ in 0..<20 {
      var scope: [String: String] = [:]
      let declared = writer.declarations(&scope)
      let text = list(writer.element(scope, depth: 0), declaring: declared)
      let (written, messages) = export(text)
      try #require(messages == [] || text.utf8.count > 3000, "\(text)")
      guard messages == [] else { continue }
      try #require(extensions(written) == extensions(text), "\(text)\n\(written)")
      try #require(export(written).text == written, "\(text)")
      let yaml = MemoryLoader(["x.yaml": export(text, as: .yaml).text]).read("x.yaml")
      try #require(PlaylistWriter(yaml.playlist, as: .xspf).text == written, "\(text)")
    }
  }
}
