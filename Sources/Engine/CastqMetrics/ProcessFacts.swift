import Glibc

/// What the system says of this process, read when it is asked for.
package struct ProcessFacts: Sendable {
  /// When the process started, in seconds since 1970; nil where the system does not say.
  private let startTime: Double?

  package init() {
    // Fields behind the name, which may hold blanks and brackets itself (proc(5)).
    let ticks = Self.statistics()[21].flatMap { Double($0) }
    let booted = Self.text("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
      .flatMap { Double($0.dropFirst(6)) }
    startTime = ticks.flatMap { ticks in booted.map { $0 + ticks / Self.ticksPerSecond } }
  }

  private static var ticksPerSecond: Double { Double(max(sysconf(Int32(_SC_CLK_TCK)), 1)) }

  /// Sets the samples of `process_`; what the system does not say keeps its last value.
  package func write(to registry: MetricRegistry) {
    let fields = Self.statistics()
    func field(_ index: Int) -> Double? { fields[index].flatMap { Double($0) } }
    var limit = rlimit()
    let hasLimit = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    let values: [(String, Double?)] = [
      (
        "process_cpu_seconds_total",
        field(13).flatMap { user in field(14).map { (user + $0) / Self.ticksPerSecond } }
      ),
      ("process_virtual_memory_bytes", field(22)),
      ("process_resident_memory_bytes", field(23).map { $0 * Double(max(sysconf(Int32(_SC_PAGESIZE)), 1)) }),
      ("process_open_fds", Self.openDescriptors()),
      ("process_max_fds", hasLimit ? Double(limit.rlim_cur) : nil),
      ("process_start_time_seconds", startTime),
    ]
    for case (let name, let value?) in values { registry.set(name, to: value) }
  }

  /// The fields of `/proc/self/stat` by their numbers, from 0; those that are not there are nil.
  private static func statistics() -> [Int: Substring] {
    let text = text("/proc/self/stat")
    guard let end = text.lastIndex(of: ")") else { return [:] }
    let rest = text[text.index(after: end)...].split(separator: " ")
    return Dictionary(uniqueKeysWithValues: rest.enumerated().map { ($0.offset + 2, $0.element) })
  }

  private static func openDescriptors() -> Double? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Itself, and the two names that every folder has.
    return Double(max(count - 3, 0))
  }

  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < 1 << 20 {
      let count = read(descriptor, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
