import CastProtocol

/// A choice among all screens and groups, by what people call them.
struct ScreenChoice {
  let context: PageContext
  /// The label, or `@GROUP`; nil for all.
  let chosen: String?

  var html: HTML {
    func option(_ value: String, _ name: String) -> HTML {
      .element(
        "option", [.init("value", value), .init("selected", if: value == (chosen ?? ""))], [HTML(name)])
    }
    let devices = context.list("devices", "devices").compactMap { device in
      (device["alias"]?.string ?? device["name"]?.string).map { ($0, context.name(of: $0)) }
    }.sorted { $0.1.lowercased() < $1.1.lowercased() }
    let groups = context.list("groups", "groups").compactMap { $0["group"]?.string }
    var options = [option("", "All screens")] + devices.map(option)
    if !groups.isEmpty {
      options.append(
        .element("optgroup", [.init("label", "Groups")], groups.map { option("@\($0)", $0) }))
    }
    // One that is gone stays what the address asks for.
    if let chosen, !devices.contains(where: { $0.0 == chosen }),
      !groups.contains(where: { "@\($0)" == chosen })
    {
      options.append(option(chosen, context.name(of: chosen)))
    }
    return .element(
      "label", [], [.span([], "Screens"), .element("select", [.init("name", "device")], options)])
  }
}
