public import CastProtocol

// A style as keys and values, so that a configuration can carry it:
//
//     {"light": {"tint": "#1659C7", "mini_controller": {"background": "#F2F4F7"}},
//      "dark": {"tint": "#7FB0FF"},
//      "fonts": {"title": {"family": "Inter", "size": 22, "bold": true}}}

extension PresentationStyle {
  /// Reads a style from keys and values: `light`, `dark` and `fonts`, each with roles, and with parts that have roles. A missing key
  /// leaves the standard style.
  /// - Throws: `invalidRequest`, whose message has the path of the key, what is wrong, and what is allowed.
  public init(json: JSONValue) throws(CastError) {
    self.init()
    for (key, value) in try Self.members(json, "style") {
      if let scheme = Scheme(rawValue: key) {
        try readColors(value, scheme, "style.\(key)")
      } else if key == "fonts" {
        try readFonts(value, "style.fonts")
      } else {
        throw Self.unknown("style.\(key)", Scheme.allCases.map(\.rawValue) + ["fonts"])
      }
    }
  }

  /// The style as keys and values; what is not set is left out.
  public var json: JSONValue {
    var members: [String: JSONValue] = [:]
    for scheme in Scheme.allCases {
      let colors = Self.nested { part in
        Self.object(ColorRole.allCases) { ownColor($0, in: part, scheme).map { .string($0.description) } }
      }
      if !colors.isEmpty { members[scheme.rawValue] = .object(colors) }
    }
    let fonts = Self.nested { part in Self.object(FontRole.allCases) { ownFont($0, in: part)?.json } }
    if !fonts.isEmpty { members["fonts"] = .object(fonts) }
    return .object(members)
  }

  private mutating func readColors(_ json: JSONValue, _ scheme: Scheme, _ path: String, in part: Part? = nil)
    throws(CastError)
  {
    for (key, value) in try Self.members(json, path) {
      if let role = ColorRole(rawValue: key) {
        guard let color = value.string.flatMap({ StyleColor($0) }) else {
          throw Self.broken("\(path).\(key)", "a colour is written \"#RRGGBB\" or \"#RRGGBBAA\"")
        }
        set(color, for: role, in: part, scheme)
      } else if part == nil, let part = Part(rawValue: key) {
        try readColors(value, scheme, "\(path).\(key)", in: part)
      } else {
        throw Self.unknown("\(path).\(key)", ColorRole.allCases.map(\.rawValue) + Self.parts(unless: part))
      }
    }
  }

  private mutating func readFonts(_ json: JSONValue, _ path: String, in part: Part? = nil) throws(CastError) {
    for (key, value) in try Self.members(json, path) {
      if let role = FontRole(rawValue: key) {
        set(
          try Font(json: value, "\(path).\(key)", standard: font(role, in: part ?? .notice)), for: role,
          in: part)
      } else if part == nil, let part = Part(rawValue: key) {
        try readFonts(value, "\(path).\(key)", in: part)
      } else {
        throw Self.unknown("\(path).\(key)", FontRole.allCases.map(\.rawValue) + Self.parts(unless: part))
      }
    }
  }

  // MARK: - Objects

  fileprivate static func members(_ json: JSONValue, _ path: String) throws(CastError) -> [(
    key: String, value: JSONValue
  )] {
    guard let members = json.object else { throw broken(path, "keys and values belong here") }
    // In one order, so that the first error is the same every time.
    return members.sorted { $0.key < $1.key }
  }

  /// The members for all parts, and those of each part under its name.
  private static func nested(_ members: (Part?) -> [String: JSONValue]) -> [String: JSONValue] {
    var all = members(nil)
    for part in Part.allCases {
      let own = members(part)
      if !own.isEmpty { all[part.rawValue] = .object(own) }
    }
    return all
  }

  private static func object<Role: RawRepresentable>(_ roles: [Role], _ value: (Role) -> JSONValue?)
    -> [String: JSONValue] where Role.RawValue == String
  {
    var members: [String: JSONValue] = [:]
    for role in roles { members[role.rawValue] = value(role) }
    return members
  }

  private static func parts(unless part: Part?) -> [String] {
    part == nil ? Part.allCases.map(\.rawValue) : []
  }

  fileprivate static func broken(_ path: String, _ rule: String) -> CastError {
    CastError(.invalidRequest, "\(path.prefix(100)): \(rule)")
  }

  fileprivate static func unknown(_ path: String, _ known: [String]) -> CastError {
    broken(path, "there is no such key; there are \(known.joined(separator: ", "))")
  }
}

extension PresentationStyle.Font {
  fileprivate var json: JSONValue {
    .members([
      "family": JSONValue(family), "size": JSONValue(size), "bold": .bool(isBold), "italic": .bool(isItalic),
    ])
  }

  /// - Parameter standard: what the keys that are missing leave.
  fileprivate init(json: JSONValue, _ path: String, standard: Self) throws(CastError) {
    self = standard
    for (key, value) in try PresentationStyle.members(json, path) {
      let path = "\(path).\(key)"
      switch key {
      case "family":
        guard let name = value.string, Self.isFamily(name) else {
          throw PresentationStyle.broken(
            path, "a family is up to 64 letters, digits, blanks and hyphens, such as \"Inter\"")
        }
        family = name
      case "size":
        guard let size = value.double, (6...96).contains(size) else {
          throw PresentationStyle.broken(path, "a size is 6 to 96 pixels")
        }
        self.size = size
      case "bold", "italic":
        guard let flag = value.bool else { throw PresentationStyle.broken(path, "it is true or false") }
        if key == "bold" { isBold = flag } else { isItalic = flag }
      default: throw PresentationStyle.unknown(path, ["bold", "family", "italic", "size"])
      }
    }
  }

  /// A name that can stand in a style sheet as it is.
  private static func isFamily(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 256 && name.count <= 64
      && name.allSatisfy { $0.isLetter || $0.isWholeNumber || $0 == " " || $0 == "-" }
  }
}
