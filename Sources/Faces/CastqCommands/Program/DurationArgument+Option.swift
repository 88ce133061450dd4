import ArgumentParser
import CastqOperations

extension DurationArgument: ExpressibleByArgument {
  init?(argument: String) {
    guard let value = try? DurationArgument(argument) else { return nil }
    self = value
  }
}
