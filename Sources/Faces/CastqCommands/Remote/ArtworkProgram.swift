import CastGuard
import CastHTTP
import CastqOperations
import CastqPrograms
import CastqTerminal
import CastqText
import FoundationEssentials

/// Pictures in characters, drawn by `chafa` where it is installed.
enum ArtworkProgram {
  /// Where `chafa` is; nil when it is not installed.
  static let path = ProgramSearch.find("chafa", path: Environment.value("PATH") ?? ProgramSearch.systemPath)

  private static let limits = ProgramLimits(time: .seconds(3), outputBytes: 64 << 10, niceness: 10)
  /// The largest picture that is fetched, in bytes.
  private static let largest = 4 << 20

  /// The picture at an address; nil when there is none that can be drawn in time.
  /// - Parameter rule: whose words name it: only the owner's name files.
  static func cells(
    of address: String, under rule: FetchGuard, columns: Int, rows: Int
  ) async -> [[Screen.Cell]]? {
    guard let path else { return nil }
    if rule.origin == .owner, let file = try? FilePath.path(url: address) {
      return await drawn(file, path, columns, rows)
    }
    var fetch = HTTPFetch(address, under: rule, byteLimit: largest)
    (fetch.accept, fetch.timeout) = ("image/*", .seconds(5))
    guard let fetched = try? await HTTPClient().fetch(fetch) else { return nil }
    let copy = "\(Environment.value("TMPDIR") ?? "/tmp")/castq-picture.\(UUID().uuidString)"
    // The name cannot be guessed, and a file that is there already is not followed.
    guard (try? Data(fetched.body).write(to: URL(fileURLWithPath: copy), options: .withoutOverwriting)) != nil
    else { return nil }
    defer { try? FileManager.default.removeItem(atPath: copy) }
    return await drawn(copy, path, columns, rows)
  }

  private static func drawn(
    _ file: String, _ program: String, _ columns: Int, _ rows: Int
  ) async -> [[Screen.Cell]]? {
    let arguments = [
      "--format", "symbols", "--colors", "none", "--symbols", "block+border+space", "--size",
      "\(columns)x\(rows)", "--polite", "on", "--animate", "off", "--", file,
    ]
    guard let output = try? await ChildProgram(path: program).run(arguments, limits: limits) else {
      return nil
    }
    return Screen.picture(String(decoding: output, as: UTF8.self), columns: columns, rows: rows)
  }
}
