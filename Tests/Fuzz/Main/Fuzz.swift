import CFuzzer
import Glibc

/// `castq-fuzz PARSER [libFuzzer's arguments]`
@main
enum Fuzz {
  static func main() {
    guard CommandLine.arguments.count > 1, Parser(rawValue: CommandLine.arguments[1]) != nil else {
      print("castq-fuzz: name one of \(Parser.allCases.map(\.rawValue).joined(separator: ", "))")
      exit(64)
    }
    // libFuzzer keeps its arguments: they live as long as the program.
    let words = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)
    var count = CInt(words.count)
    let storage = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
    for (index, word) in words.enumerated() { storage[index] = strdup(word) }
    storage[words.count] = nil
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = storage
    exit(LLVMFuzzerRunDriver(&count, &arguments) { parseInput($0, $1) })
  }

  static let parser = Parser(rawValue: CommandLine.arguments[1])
}

/// One input. libFuzzer's own `main`, which is linked in and never runs, wants it under this name.
@_cdecl("LLVMFuzzerTestOneInput")
public func parseInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzz.parser?.parse(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
