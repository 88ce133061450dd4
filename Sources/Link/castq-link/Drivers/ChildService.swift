import CastqDaemon
import CastqOperations
import CastqPrograms

/// A program that runs as long as this box feeds: it has this program's output, and its environment with more in it.
struct ChildService: Sendable {
  private let path: String
  private let words: [String]

  /// - Parameter command: a program and its words; nil for a program that is not there.
  init?(_ command: [String]) {
    guard let name = command.first,
      let path = ProgramSearch.find(name, path: Environment.value("PATH") ?? ProgramSearch.systemPath)
    else { return nil }
    self.path = path
    words = command
  }

  /// The number that the descriptor of its lease has.
  private static let leaseDescriptor: Int32 = 3

  /// Starts it, in a group of its own: what a terminal sends to this program reaches it once.
  /// - Parameter lease: says how long it may go on; it inherits that, and nothing else.
  /// - Returns: nil where the system refuses.
  func start(_ variables: [String: String], _ lease: LeaseWriter) -> StartedProgram? {
    try? ProgramLaunch(
      path, Array(words.dropFirst()), name: words.first,
      variables: variables.merging([LeaseLine.variable: "\(Self.leaseDescriptor)"]) { $1 },
      descriptors: [Self.leaseDescriptor: .own(lease.inherited)], hasOwnGroup: true
    ).start()
  }
}
