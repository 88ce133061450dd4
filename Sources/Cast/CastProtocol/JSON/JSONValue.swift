/// One JSON value, kept unchanged, so that unknown members survive a round trip.
///
/// Whole numbers that fit 64 bits stay whole (`.integer`); everything else numeric is `.number`. Objects are unordered and
/// encode with their keys sorted, so equal values encode to equal text.
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The member of an object; nil when this is not an object, or the member is absent or `null` (protocol 18, quirk 40).
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self, let value = members[key], value != .null else { return nil }
    return value
  }

  /// The text of a string; nil for every other kind.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The value of a boolean; nil for every other kind.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The value of any number; nil for every other kind.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// A whole number, also when it was written as `1.0` (protocol 6.5); nil when it has a fraction or is not a number.
  public var int: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The elements of an array; nil for every other kind.
  public var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members of an object; nil for every other kind.
  public var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// JSON `null`.
  public init(nilLiteral: ()) { self = .null }
  /// JSON `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; the last of two equal keys wins.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

extension JSONValue {
  /// An object of the non-nil members: a nil value omits its key.
  package static func members(_ elements: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for (key, value) in elements where value != nil { members[key] = value }
    return .object(members)
  }

  /// A whole number; nil for nil.
  package init?(_ value: Int?) {
    guard let value else { return nil }
    self = .integer(Int64(value))
  }

  /// A number; nil for nil. A whole value is written without a fraction.
  package init?(_ value: Double?) {
    guard let value, value.isFinite else { return nil }
    self = Int64(exactly: value).map(JSONValue.integer) ?? .number(value)
  }

  /// A string; nil for nil.
  package init?(_ value: String?) {
    guard let value else { return nil }
    self = .string(value)
  }

  /// A boolean; nil for nil.
  package init?(_ value: Bool?) {
    guard let value else { return nil }
    self = .bool(value)
  }
}
