// Values by key. Reading returns nil when the key is absent or has a value of another type: receivers and applications may send
// any.

extension MediaMetadata {
  /// `title`; nil when absent.
  public var title: String? {
    get { string(for: .title) }
    set { self[.title] = JSONValue(newValue) }
  }

  /// `subtitle`; nil when absent.
  public var subtitle: String? {
    get { string(for: .subtitle) }
    set { self[.subtitle] = JSONValue(newValue) }
  }

  /// The raw value of a key, as received or to be sent; nil when absent, and nil removes it.
  public subscript(key: Key) -> JSONValue? {
    get { values[key.rawValue] }
    set { values[key.rawValue] = newValue }
  }

  /// A text; nil when absent or not a text. Dates are texts, too.
  public func string(for key: Key) -> String? { self[key]?.string }

  /// A whole number; nil when absent or not a whole number.
  public func integer(for key: Key) -> Int? { self[key]?.integer(.any) }

  /// A number; nil when absent or not a number.
  public func double(for key: Key) -> Double? { self[key]?.number(.any) }

  /// Seconds; nil when absent or not a number.
  public func time(for key: Key) -> MediaTime? { MediaTime(self[key], .length) }

  /// A date, in either form of ISO 8601; nil when absent or not a date.
  public func date(for key: Key) -> MediaDate? { string(for: key).flatMap { MediaDate($0) } }

  /// Removes a value; does nothing if it is absent.
  public mutating func removeValue(for key: Key) { self[key] = nil }

  /// Sets a text, or a date in its text form.
  /// - Throws: `invalidRequest` when a predefined key has another type.
  public mutating func set(_ value: String, for key: Key) throws(CastError) {
    switch key.valueType {
    case .string, nil: break
    case .date:
      guard MediaDate(value) != nil else { throw .unfitMetadata(key, "\"\(value.prefix(40))\"") }
    case .integer, .number, .time: throw .unfitMetadata(key, "text")
    }
    self[key] = .string(value)
  }

  /// Sets a whole number, or seconds.
  /// - Throws: `invalidRequest` when a predefined key has another type, or the number is negative where it must not be.
  public mutating func set(_ value: Int, for key: Key) throws(CastError) {
    switch key.valueType {
    case .integer, .time:
      guard value >= 0 else { throw .unfitMetadata(key, "\(value)") }
    case .number, nil: break
    case .string, .date: throw .unfitMetadata(key, "a number")
    }
    self[key] = .integer(Int64(value))
  }

  /// Sets a number, or seconds.
  /// - Throws: `invalidRequest` when a predefined key has another type, or the number is not finite.
  public mutating func set(_ value: Double, for key: Key) throws(CastError) {
    switch key.valueType {
    case .number, nil: break
    case .time:
      guard value >= 0 else { throw .unfitMetadata(key, "\(value)") }
    case .integer, .string, .date: throw .unfitMetadata(key, "a number with a fraction")
    }
    guard let json = JSONValue(value) else { throw .unfitMetadata(key, "\(value)") }
    self[key] = json
  }

  /// Sets seconds.
  /// - Throws: `invalidRequest` when a predefined key has another type, or the time is negative or not finite.
  public mutating func set(_ value: MediaTime, for key: Key) throws(CastError) {
    guard key.valueType == .time || key.valueType == nil else { throw .unfitMetadata(key, "a time") }
    try set(value.seconds, for: key)
  }

  /// Sets a date; it is sent in the extended form.
  /// - Throws: `invalidRequest` when a predefined key has another type.
  public mutating func set(_ value: MediaDate, for key: Key) throws(CastError) {
    guard key.valueType == .date || key.valueType == nil else { throw .unfitMetadata(key, "a date") }
    self[key] = .string(value.description)
  }

  /// Whether a receiver displays the key with this kind: application-defined keys always, predefined ones as listed in protocol 11.
  public static func isValid(_ key: Key, for kind: Kind) -> Bool { key.isValid(for: kind) }

  /// The keys that are set and will not be sent, because this kind does not have them; sorted by name.
  public var keysNotSent: [Key] {
    values.keys.map { Key(rawValue: $0) }.filter { !$0.isValid(for: kind) }
      .sorted { $0.rawValue < $1.rawValue }
  }
}

extension CastError {
  fileprivate static func unfitMetadata(_ key: MediaMetadata.Key, _ given: String) -> CastError {
    let wanted =
      switch key.valueType {
      case .string: "text"
      case .integer: "a whole number from 0"
      case .number, nil: "a number"
      case .time: "seconds from 0"
      case .date: "a date such as 2014-02-10"
      }
    return CastError(.invalidRequest, "the metadata \(key) takes \(wanted), not \(given)")
  }
}
