/// The content's own time where the stream holds breaks that do not count: embedded ones that are not expanded (protocol 9).
struct ContentTimeline: Sendable, Equatable {
  /// The places in the stream that do not count, in order.
  var hidden: [ClosedRange<Double>] = []

  /// The content's time at a place in the stream.
  func shown(_ place: Double) -> Double {
    place - hidden.reduce(0) { $0 + max(0, min(place, $1.upperBound) - $1.lowerBound) }
  }

  /// Where in the stream the content has that time. At a break it is the break's beginning.
  func place(of time: Double) -> Double {
    hidden.reduce(time) { $0 > $1.lowerBound ? $0 + $1.upperBound - $1.lowerBound : $0 }
  }
}
