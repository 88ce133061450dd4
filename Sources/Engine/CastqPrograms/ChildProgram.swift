import CProgramLimits
public import CastSender
import CastqPaths
import Glibc
import Subprocess
import Synchronization
import SystemPackage

/// Another program that castq asks something: `ffprobe`, `ffmpeg`, a resolver.
///
/// It is started without a shell, with an array of arguments, without castq's environment, without input unless it is given some, and in a process group of its
/// own, so that a limit ends what it has started, too. It gets its limits of memory and file size from castq the moment after it has
/// started (`prlimit`): what it takes before that is taken of nothing that was asked yet.
public struct ChildProgram: Sendable, Hashable {
  /// The path of its file.
  public let path: String
  /// The variables it sees: a search path, a character set, and what was asked for.
  public let environment: [String: String]

  /// - Parameters:
  ///   - path: the path of its file, as `ProgramSearch` finds it.
  ///   - environment: variables beside `PATH` (the system's) and `LC_ALL` (`C.UTF-8`); these may be replaced, too.
  public init(path: String, environment: [String: String] = [:]) {
    self.path = path
    self.environment = ["PATH": ProgramSearch.systemPath, "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
  }

  /// Its name, as messages call it.
  public var name: String { String(path.split(separator: "/").last ?? Substring(path)) }

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - arguments: passed unchanged, a path as its bytes (`PathText`). A name from outside belongs behind an option that takes a value, or after `--`.
  ///   - input: what it reads; nil is nothing.
  ///   - directory: the folder it begins in; nil is castq's own.
  ///   - limits: what it may use.
  ///   - time: by whose clock `limits.time` is.
  /// - Returns: its output.
  /// - Throws: `ProgramError`; `CancellationError` after the task was cancelled and the program has ended.
  public func run(
    _ arguments: [String], reading input: [UInt8]? = nil, in directory: String? = nil, limits: ProgramLimits,
    time: TimeSource = .continuous
  ) async throws -> [UInt8] {
    // A null byte would cut an argument in two for the program.
    guard !arguments.contains(where: { $0.utf8.contains(0) }) else {
      throw ProgramError.unavailable(program: name, reason: "an argument holds a null byte")
    }
    return try await withThrowingTaskGroup(of: [UInt8].self) { group in
      group.addTask { try await answer(arguments, input ?? [], directory, limits) }
      group.addTask {
        try await time.sleep(limits.time)
        throw ProgramError.tooSlow(program: name, limit: limits.time)
      }
      defer { group.cancelAll() }
      return try await group.next() ?? []
    }
  }

  private func answer(
    _ arguments: [String], _ input: [UInt8], _ directory: String?, _ limits: ProgramLimits
  ) async throws -> [UInt8] {
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: .milliseconds(500))
    ]
    let result: ExecutionResult<(output: [UInt8], words: String), SequenceOutput, SequenceOutput>
    // What it has started may be deaf to the signal that ended it.
    let family = Mutex<pid_t>(0)
    var isAnswered = false
    defer { if !isAnswered { family.withLock { if $0 > 0 { kill(-$0, SIGKILL) } } } }
    do {
      result = try await Subprocess.run(
        .path(FilePath(path)), arguments: Arguments(arguments.map { PathText.bytes($0) + [0] }),
        environment: .custom(variables),
        workingDirectory: directory.map { FilePath($0) }, platformOptions: options,
        input: .inputWriter, output: .sequence, error: .sequence
      ) { execution in
        let number = execution.processIdentifier.value
        family.withLock { $0 = number }
        limits.apply(to: number)
        async let given: Void = give(input, to: execution.standardInputWriter)
        async let words = ending(of: execution.standardError)
        let output = try await collected(execution.standardOutput, limit: limits.outputBytes)
        await given
        return (output, try await words)
      }
    } catch let error as SubprocessError {
      try Task.checkCancellation()
      throw ProgramError.unavailable(program: name, reason: reason(error))
    }
    try Task.checkCancellation()
    isAnswered = true
    switch result.terminationStatus {
    case .exited(0): return result.closureResult.output
    case .exited(let code):
      let (output, words) = result.closureResult
      throw ProgramError.failed(program: name, code: Int(code), words: words, output: output)
    case .signaled(let signal):
      throw ProgramError.killed(program: name, signal: Int(signal), words: result.closureResult.words)
    }
  }

  private var variables: [Environment.Key: String] {
    Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) })
  }

  /// Writes what the program may read, and need not: one that ends without reading it has not failed. Not left to the library, which
  /// ends castq when nobody reads.
  private func give(_ input: [UInt8], to writer: StandardInputWriter) async {
    _ = try? await writer.write(input)
    try? await writer.finish()
  }

  private func collected(_ output: SubprocessOutputSequence, limit: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await buffer in output {
      guard bytes.count + buffer.count <= limit else {
        throw ProgramError.tooMuch(program: name, limit: limit)
      }
      buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// The last words of a stream that may be without end.
  private func ending(of errors: SubprocessOutputSequence) async throws -> String {
    let kept = 2000
    var bytes: [UInt8] = []
    for try await buffer in errors {
      buffer.withUnsafeBytes { bytes.append(contentsOf: $0) }
      if bytes.count > 2 * kept { bytes.removeFirst(bytes.count - kept) }
    }
    let text = String(decoding: bytes.suffix(kept), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).joined(separator: "; ")
  }

  private func reason(_ error: SubprocessError) -> String {
    if let errno = error.underlyingError { return String(cString: strerror(errno.rawValue)) }
    return error.code == .executableNotFound ? "no such program" : "\(error)"
  }
}

extension ProgramLimits {
  /// Sets them for a process that has just begun. What is refused is not an error: the process has ended already, or castq itself is
  /// held to less.
  fileprivate func apply(to process: pid_t) {
    if let memoryBytes { _ = castq_limit_memory(process, UInt64(clamping: memoryBytes)) }
    if let fileBytes { _ = castq_limit_file_size(process, UInt64(clamping: fileBytes)) }
    if niceness > 0 { _ = castq_stand_back(process, Int32(niceness)) }
  }
}
