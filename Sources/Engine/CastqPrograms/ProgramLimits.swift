/// What a child process may use at most. A program that reaches a limit is ended, and its run is an error that names the limit.
public struct ProgramLimits: Sendable, Hashable {
  /// How long it may run by the wall clock.
  public var time: Duration
  /// How many bytes of its output are taken. More is an error, because half an answer is none.
  public var outputBytes: Int
  /// Its address space, in bytes (`RLIMIT_AS`); nil leaves what castq itself has.
  public var memoryBytes: Int?
  /// The largest file it may write, in bytes (`RLIMIT_FSIZE`); nil leaves what castq itself has.
  public var fileBytes: Int?
  /// How far it stands back for everything else (`nice`), 0 to 19.
  public var niceness: Int

  /// - Parameters:
  ///   - time: by the wall clock.
  ///   - outputBytes: the default is 1 MiB.
  ///   - memoryBytes: the default is 2 GiB.
  ///   - fileBytes: the default is 0, no file; its output is not a file.
  ///   - niceness: 0 to 19; others are brought into that range.
  public init(
    time: Duration, outputBytes: Int = 1 << 20, memoryBytes: Int? = 2 << 30, fileBytes: Int? = 0,
    niceness: Int = 0
  ) {
    self.time = time
    self.outputBytes = outputBytes
    self.memoryBytes = memoryBytes
    self.fileBytes = fileBytes
    self.niceness = min(max(niceness, 0), 19)
  }
}
