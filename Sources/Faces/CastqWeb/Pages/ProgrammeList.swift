import CastProtocol
import CastqOperations

/// The programmes, where each is used, and what is wrong with it.
struct ProgrammeList {
  let context: PageContext

  var html: HTML {
    let wanted = context.query["q"]?.lowercased() ?? ""
    let all = context.list("programmes", "programmes")
    let programmes = all.filter { programme in
      wanted.isEmpty
        || [programme["programme"]?.string ?? "", programme["source"]?.string ?? ""].contains {
          $0.lowercased().contains(wanted)
        }
    }
    return .section(
      [.class("panel"), .id("programmes")],
      .div([.class("row")], .h2([], "Programmes"), .element("small", [], [HTML("\(all.count)")])),
      context.failure("programmes"),
      all.isEmpty
        ? .p(
          [.class("faint")],
          "No programme yet: one is a list, a folder or an address with a name, so that rules can play it.")
        : .element("ul", [.class("rules")], programmes.prefix(1000).map(row)))
  }

  private func row(_ programme: JSONValue) -> HTML {
    let name = programme["programme"]?.string ?? ""
    let users = context.list("rules", "rules").filter { $0["programme"]?.string == name }.compactMap {
      $0["rule"]?.string
    }
    return .element(
      "li", [.class("rule")],
      [
        .div([], .element("strong", [], [.foreign(name)]), " ", .foreign(programme["source"]?.string ?? "")),
        .div(
          [.class("faint")], programme["shuffle"]?.bool == true ? "shuffled; " : .none,
          programme["filler"]?.string.map { ["filler ", .foreign($0), "; "] } ?? .none,
          users.isEmpty ? "no rule uses it" : "used by " + .foreign(users.joined(separator: ", "))),
        programme["problem"]?.string.map {
          .div([.class("failure")], Glyph.warning.html, .p([], .foreign($0)))
        } ?? .none,
      ])
  }
}
