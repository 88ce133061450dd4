import ArgumentParser
import CastqOperations
import CastqText

/// What `castq plan` and `castq why` take on the command line; the parser's message adds the option and the value.
enum PlanArguments {
  static func time(_ argument: String) throws -> TimeText {
    do throws(TextError) { return try PlanRange.time(argument) } catch {
      throw ValidationError(error.advice)
    }
  }

  static func question(_ argument: String) throws -> WhyQuestion {
    do throws(TextError) { return try WhyQuestion(reading: argument) } catch {
      throw ValidationError(error.advice)
    }
  }
}

extension NamedZone {
  /// Parses `local` or a name such as `Europe/Berlin`.
  init(_ argument: String) throws {
    do throws(TextError) { try self.init(named: argument) } catch { throw ValidationError(error.words) }
  }
}
