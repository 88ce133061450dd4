import Testing

/// Where the tests begin when they are built without the index, in which the package manager otherwise looks for tests of XCTest;
/// all of ours are Swift Testing's.
@main
struct EntryPoint {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
