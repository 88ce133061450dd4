import CastPresentation

/// A person's style as a style sheet that is loaded after `app.css`. It sets what that leaves open: `--light-ROLE` and `--dark-ROLE` for
/// the whole page and for its parts. A colour is `#rrggbb` and a family has letters, digits, blanks and hyphens, so nothing of it is code.
struct StyleSheet {
  let style: PresentationStyle

  /// Where a part stands on the page.
  private static func selector(_ part: PresentationStyle.Part) -> String {
    switch part {
    case .castButton: ".cast"
    case .deviceChooser: "#chooser"
    case .introduction: ".introduction"
    case .miniController: ".mini"
    case .expandedController: ".controller"
    case .trackChooser: "[data-part=tracks]"
    case .notice: ":is(.notice, .failure, .toasts p)"
    }
  }

  /// Where a font stands in a part; nil is the part itself.
  private static func selector(_ role: PresentationStyle.FontRole) -> String? {
    switch role {
    case .title: ":is(h1, h2, .title)"
    case .subtitle: ".subtitle"
    case .body: nil
    case .button: ":is(button, .button)"
    case .caption: ":is(.faint, .times, .seek, output)"
    }
  }

  var text: String {
    var text = ""
    for part in [nil] + PresentationStyle.Part.allCases.map(Optional.some) {
      text += colors(of: part)
      for role in PresentationStyle.FontRole.allCases { text += font(role, of: part) }
    }
    return text
  }

  private func colors(of part: PresentationStyle.Part?) -> String {
    var lines = PresentationStyle.Scheme.allCases.flatMap { scheme in
      PresentationStyle.ColorRole.allCases.compactMap { role in
        style.ownColor(role, in: part, scheme).map { "--\(scheme.rawValue)-\(Self.name(role)):\($0)" }
      }
    }
    guard let part else { return Self.rule(":root", lines) }
    func sets(_ role: PresentationStyle.ColorRole) -> Bool {
      PresentationStyle.Scheme.allCases.contains { style.ownColor(role, in: part, $0) != nil }
    }
    if sets(.background) { lines.append("background:var(--paper)") }
    if sets(.text) { lines.append("color:var(--ink)") }
    return Self.rule(Self.selector(part), lines)
  }

  private func font(_ role: PresentationStyle.FontRole, of part: PresentationStyle.Part?) -> String {
    guard let font = style.ownFont(role, in: part) else { return "" }
    var lines = ["font-size:\(font.size)px", "font-weight:\(font.isBold ? 700 : 400)"]
    lines.append("font-style:\(font.isItalic ? "italic" : "normal")")
    if let family = font.family { lines.append("font-family:\"\(family)\",system-ui,sans-serif") }
    let place = [part.map(Self.selector), Self.selector(role)].compactMap(\.self).joined(separator: " ")
    return Self.rule(place.isEmpty ? ":root" : place, lines)
  }

  private static func name(_ role: PresentationStyle.ColorRole) -> String {
    String(role.rawValue.map { $0 == "_" ? "-" : $0 })
  }

  private static func rule(_ selector: String, _ lines: [String]) -> String {
    lines.isEmpty ? "" : "\(selector){\(lines.joined(separator: ";"))}\n"
  }
}
