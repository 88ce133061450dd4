// Conversions of floating-point numbers to integers and `Duration`. The initializers of the standard library trap for NaN,
// infinities and values out of range, and one process feeds all devices: so no other file calls them.

extension FixedWidthInteger {
  /// The integer part. NaN is 0; values out of range are clamped.
  @inlinable
  package init(bounded value: Double) {
    if let exact = Self(exactly: value.rounded(.towardZero)) {
      self = exact
    } else {
      self = value.isNaN ? 0 : value < 0 ? .min : .max
    }
  }

  /// The sum, clamped.
  package func adding(bounded other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, clamped.
  package func subtracting(bounded other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : difference
  }
}

extension Int64 {
  /// Milliseconds of a time of the system, clamped: file systems keep any number of seconds.
  package init(millisecondsOf seconds: Int, nanoseconds: Int) {
    let (milliseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
    self =
      overflow ? (seconds < 0 ? .min : .max) : milliseconds.adding(bounded: Int64(nanoseconds / 1_000_000))
  }
}

extension Duration {
  /// Three hundred years: no timer, position or length is longer, and sums of many such values still fit.
  package static let longest = Duration.seconds(10_000_000_000)

  /// A duration in seconds, from zero to `longest`. NaN is zero.
  package static func bounded(seconds: Double) -> Duration {
    guard seconds > 0 else { return .zero }
    guard seconds < longest.seconds else { return longest }
    return .seconds(seconds)
  }

  /// This duration times `factor`, from zero to `longest`.
  package func scaled(by factor: Double) -> Duration { .bounded(seconds: seconds * factor) }

  /// This duration in seconds, for the wire and for arithmetic with media positions.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// Whole milliseconds, for the arguments of programs.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return seconds < 0 ? .min : .max }
    return milliseconds.adding(bounded: attoseconds / 1_000_000_000_000_000)
  }
}
