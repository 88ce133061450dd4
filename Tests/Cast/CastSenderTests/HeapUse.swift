import CastProtocol
import Glibc

/// What a process has allocated and not given back, as the C library counts it. That of the system is no measure: memory that
/// was given back stays with the process, and more of it the more threads took turns.
struct HeapUse {
  let bytes: Int

  private typealias Report = @convention(c) (CInt, UnsafeMutablePointer<FILE>) -> CInt

  static func now() throws -> HeapUse {
    // No header that Swift reads declares it.
    guard let symbol = dlsym(nil, "malloc_info") else { throw CastError(.invalidState, "no malloc_info") }
    let report = unsafeBitCast(symbol, to: Report.self)
    var text: UnsafeMutablePointer<CChar>?
    var count = 0
    guard let stream = open_memstream(&text, &count) else { throw CastError(.invalidState, "no stream") }
    let status = report(0, stream)
    fclose(stream)
    defer { free(text) }
    guard status == 0, let text else { throw CastError(.invalidState, "malloc_info failed") }
    guard let use = HeapUse(report: String(cString: text)) else {
      throw CastError(.invalidState, "no totals in what malloc_info says")
    }
    return use
  }

  /// - Parameter report: XML, with the totals of all arenas behind the last of them.
  private init?(report: String) {
    let lines = report.split(separator: "\n")
    guard let last = lines.lastIndex(where: { $0.hasPrefix("</heap>") }) else { return nil }
    let totals = lines[last...]
    func total(_ name: String) -> Int? { totals.first { $0.hasPrefix("<\(name)\"") }.flatMap(Self.size) }
    guard let taken = total("system type=\"current"), let mapped = total("total type=\"mmap"),
      let fast = total("total type=\"fast"), let rest = total("total type=\"rest")
    else { return nil }
    bytes = taken + mapped - fast - rest
  }

  private static func size(_ line: Substring) -> Int? {
    let words = line.split(separator: "\"")
    guard let name = words.firstIndex(where: { $0.hasSuffix(" size=") }), name + 1 < words.count else {
      return nil
    }
    return Int(words[name + 1])
  }
}
