import CastqFeeding
import CastqOperations
import CastqText

/// What the query of an address asks for, typed.
struct WebQuery {
  private let options: WebOptions

  init(_ options: WebOptions) { self.options = options }

  /// The call, for the devices that are named.
  func call(_ global: CallOptions) -> CallOptions {
    var call = global
    call.device = options.all("device")
    return call
  }

  func period() throws(Failure) -> PeriodQuery {
    PeriodQuery(
      since: try value("since", TimeArgument.init), until: try value("until", TimeArgument.init),
      tz: try value("tz", Zone.init))
  }

  func plan() throws(Failure) -> PlanQuery {
    PlanQuery(
      from: try value("from", PlanRange.time), to: try value("to", PlanRange.time), tz: try namedZone())
  }

  /// The time of the plan in an object that was sent.
  static func plan(_ members: RequestMembers) throws(Failure) -> PlanQuery {
    func value<Value>(
      _ name: String, _ read: (String) throws -> Value
    ) throws(Failure) -> Value? {
      members.has(name) ? try Self.read(name, try members.text(name), read) : nil
    }
    return PlanQuery(
      from: try value("from", PlanRange.time), to: try value("until", PlanRange.time),
      tz: try value("tz", NamedZone.init(named:)))
  }

  /// The zone of plans, in which rules may be.
  func namedZone() throws(Failure) -> NamedZone? { try value("tz", NamedZone.init(named:)) }

  /// The question that `why` answers.
  /// - Parameter text: nil is what is on the screen now.
  static func question(_ text: String?) throws(Failure) -> WhyQuestion? {
    guard let text else { return nil }
    do throws(TextError) { return try WhyQuestion(reading: text) } catch {
      throw Failure(
        "usage", "`what` is '\(TerminalText.excerpt(text))': \(error.advice)", exit: .usage)
    }
  }

  func outcome() throws(Failure) -> PlayOutcome? { try word("outcome") }

  /// What the rows of a report are by.
  /// - Parameter keys: those that the report has.
  func key(of keys: Set<ReportKey>) throws(Failure) -> ReportKey? {
    guard let key: ReportKey = try word("by") else { return nil }
    guard keys.contains(key) else {
      let known = ReportKey.allCases.filter(keys.contains).map(\.rawValue).joined(separator: ", ")
      throw Failure(
        "usage", "this report has no rows by \(key.rawValue); it has \(known)", exit: .usage)
    }
    return key
  }

  func limit() throws(Failure) -> Int? {
    guard let text = options["limit"] else { return nil }
    guard let limit = Int(text), limit > 0 else {
      throw Failure("usage", "`limit` is a number from 1", exit: .usage)
    }
    return limit
  }

  /// A word of a closed set.
  private func word<Word: RawRepresentable & CaseIterable>(
    _ name: String
  ) throws(Failure) -> Word? where Word.RawValue == String {
    guard let text = options[name] else { return nil }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        "usage", "`\(name)` is one of \(words), not '\(TerminalText.excerpt(text))'", exit: .usage)
    }
    return word
  }

  private func value<Value>(
    _ name: String, _ read: (String) throws -> Value
  ) throws(Failure) -> Value? {
    try options[name].map { (text) throws(Failure) in try Self.read(name, text, read) }
  }

  private static func read<Value>(
    _ name: String, _ text: String, _ read: (String) throws -> Value
  ) throws(Failure) -> Value {
    do { return try read(text) } catch {
      let words = (error as? TextError)?.advice ?? "\(error)"
      throw Failure(
        "usage", "`\(name)` is '\(TerminalText.excerpt(text))': \(TerminalText.sanitized(words))",
        exit: .usage)
    }
  }
}
