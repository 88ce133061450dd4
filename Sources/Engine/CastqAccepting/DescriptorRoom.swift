import Glibc

/// Whether there is room for descriptors, asked before a library that ends the program without them.
package enum DescriptorRoom {
  /// What an event loop needs: its queue, its timer and its signal.
  package static let ofLoop = 3

  /// Whether this many can be opened now, and a few more, because others open some at the same time.
  package static func has(_ count: Int) -> Bool {
    var taken: [Int32] = []
    defer { for descriptor in taken { close(descriptor) } }
    for _ in 0..<(count + 4) {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { return false }
      taken.append(descriptor)
    }
    return true
  }
}
