package import CastqFeeding
package import CastqText

/// Where local files are served: the options, else the variables of the environment, which suit a container.
package struct MediaArguments {
  /// Nil leaves it to the configuration.
  package let advertised: AdvertisedAddress?
  /// Nil leaves it to the configuration.
  package let port: Int?

  /// - Throws: a usage error if a variable is invalid.
  package init(_ global: CallOptions) throws(Failure) {
    // The variables are read in any case: an invalid one is reported, even where an option overrides it.
    let variables = (
      advertised: try Self.read("CASTQ_ADVERTISE", AdvertisedAddress.init),
      port: try Self.read("CASTQ_MEDIA_PORT", AdvertisedAddress.port)
    )
    advertised = global.advertise ?? variables.advertised
    port = global.mediaPort ?? variables.port
  }

  /// Parses an argument; the parser's message adds the option and the value.
  @Sendable package static func address(_ argument: String) throws(UsageError) -> AdvertisedAddress {
    do throws(TextError) { return try AdvertisedAddress(argument) } catch {
      throw UsageError(error.advice)
    }
  }

  @Sendable package static func port(_ argument: String) throws(UsageError) -> Int {
    do throws(TextError) { return try AdvertisedAddress.port(argument) } catch {
      throw UsageError(error.advice)
    }
  }

  private static func read<Value>(
    _ name: String, _ parse: (String) throws(TextError) -> Value
  ) throws(Failure) -> Value? {
    guard let text = Environment.value(name) else { return nil }
    do throws(TextError) { return try parse(text) } catch {
      throw Failure("usage", "\(name): \(error.words)", exit: .usage)
    }
  }
}
