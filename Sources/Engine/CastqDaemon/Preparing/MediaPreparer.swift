package import CastqFeeding
package import CastqPlaylists
package import CastqPrograms
package import CastqStore
import Glibc

/// Converts files for devices, one at a time, into a folder with a budget.
package struct MediaPreparer: Sendable {
  package let folder: PreparedFolder
  private let program: ChildProgram?
  private let allowance: PreparationRules.Allowance

  /// - Parameter program: `ffmpeg`; nil without it.
  package init(folder: PreparedFolder, program: ChildProgram?, allowance: PreparationRules.Allowance) {
    self.folder = folder
    self.program = program
    self.allowance = allowance
  }

  /// A file that a device plays.
  package struct Prepared: Sendable, Hashable {
    package var path: String
    /// Bytes.
    package var size: Int
    /// Whether it was there already.
    package var wasThere: Bool
  }

  /// Whether a decision may be carried out, and can.
  package func permits(_ way: PlayDecision.Way) -> Bool { program != nil && allowance.permits(way) }

  /// The finished file for a decision; nil when there is none.
  package func find(_ file: ProbedFile, _ recipe: PreparationRecipe) -> String? {
    PreparedFolder.name(of: file, recipe).flatMap(folder.find)
  }

  /// Converts a file as a decision says, unless that has been done.
  ///
  /// - Parameters:
  ///   - duration: seconds of the file; nil if unknown.
  ///   - kept: names of prepared files that must stay.
  package func prepare(
    _ file: ProbedFile, _ decision: PlayDecision, duration: Double?, keeping kept: Set<String>
  ) async throws(PreparationError) -> Prepared {
    guard let recipe = decision.recipe, let name = PreparedFolder.name(of: file, recipe) else {
      throw .impossible(decision.reason)
    }
    if let path = folder.find(name) { return Prepared(path: path, size: Self.size(path), wasThere: true) }
    guard allowance.permits(decision.way) else {
      throw .notAllowed(needed: decision.way.words, allowed: allowance.rawValue)
    }
    guard let program else { throw .noProgram }
    try folder.make()
    folder.removeAbandoned()
    let path = folder.path(of: name)
    guard let draft = PreparedDraft(path: path + PreparedFolder.draftEnding) else {
      if access(folder.path, W_OK) != 0 {
        throw .folder(path: folder.path, words: String(cString: strerror(errno)))
      }
      throw .inProgress
    }
    // Another process may have finished it since.
    if let path = folder.find(name) {
      draft.discard()
      return Prepared(path: path, size: Self.size(path), wasThere: true)
    }
    let bytes = Int(clamping: file.size)
    let wanted = Self.estimate(recipe, bytes: bytes, duration: duration)
    // Copied streams are as large as they are; only what is encoded may come out smaller than it was thought.
    let needed = recipe.way == .remux ? wanted / 2 : Self.least
    let free = folder.makeRoom(for: wanted, atLeast: needed, keeping: kept)
    guard free >= needed else {
      draft.discard()
      throw .noRoom(free: free, budget: folder.budget)
    }
    do throws(PreparationError) {
      try await convert(file, recipe, with: program, to: draft.path, free: free, duration)
      guard ProbedFile(file.path) == file else { throw PreparationError.changed }
      // A program that is quick has written before its limits held.
      guard draft.size ?? 0 <= free else {
        throw PreparationError.noRoom(free: free, budget: folder.budget)
      }
    } catch {
      draft.discard()
      throw error
    }
    guard let size = draft.finish(as: path) else { throw .notKept(String(cString: strerror(errno))) }
    return Prepared(path: path, size: size, wasThere: false)
  }

  private func convert(
    _ file: ProbedFile, _ recipe: PreparationRecipe, with program: ChildProgram, to path: String, free: Int,
    _ duration: Double?
  ) async throws(PreparationError) {
    let limits = ProgramLimits(
      time: recipe.timeLimit(duration: duration, bytes: Int(clamping: file.size)), memoryBytes: 4 << 30,
      fileBytes: free, niceness: 19)
    do {
      _ = try await program.run(recipe.arguments(from: file.path, to: path), limits: limits)
    } catch let error as ProgramError {
      throw Self.isTooLarge(error, path: path, limit: free)
        ? .noRoom(free: free, budget: folder.budget) : .program(error)
    } catch {
      throw .cancelled
    }
  }

  /// Nothing useful is smaller.
  private static let least = 1 << 20

  /// The bytes that the result will have at most, roughly.
  private static func estimate(_ recipe: PreparationRecipe, bytes: Int, duration: Double?) -> Int {
    let seconds = min(max(duration ?? 7200, 0), 360_000)
    switch recipe.way {
    case .direct, .remux, .impossible: return bytes
    case .audio: return bytes / 2 + Int(seconds * 24_000) + least
    // 4 Mbit a second is usual at this quality; the limit is 10.
    case .video: return Int(seconds * 600_000) + least
    }
  }

  /// A limit of a file's size ends a program by a signal, or as a write that fails when the file has that size.
  private static func isTooLarge(_ error: ProgramError, path: String, limit: Int) -> Bool {
    if size(path) >= limit { return true }
    switch error {
    case .killed(_, let signal, _): return signal == SIGXFSZ
    case .failed(_, _, let words, _):
      return words.contains("File too large") || words.contains("No space left on device")
    case .unavailable, .tooSlow, .tooMuch: return false
    }
  }

  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}

extension MediaPreparer {
  /// - Parameters:
  ///   - program: `ffmpeg`; nil without it.
  ///   - database: prepared files stand beside it, unless the configuration names a folder.
  ///   - allowance: what may be converted; nil is what the configuration allows ahead of time.
  package init(
    _ rules: PreparationRules, program: ChildProgram?, allowance: PreparationRules.Allowance? = nil,
    database: Database
  ) {
    self.init(
      folder: PreparedFolder(path: rules.folder ?? "\(database.path).prepared", budget: rules.budget),
      program: program, allowance: allowance ?? rules.allow)
  }
}
