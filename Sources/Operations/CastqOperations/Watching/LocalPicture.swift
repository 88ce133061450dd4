import Glibc

/// A picture in a file of this computer.
enum LocalPicture {
  /// The bytes of a regular file; nil where there is none, where it may not be read, and where it is larger.
  static func bytes(of path: String, limit: Int) -> [UInt8]? {
    // A pipe must not hold its reader up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    let bytes = ConfigurationFile.bytes(of: descriptor, limit: limit)
    return bytes.flatMap { $0.count <= limit ? $0 : nil }
  }
}
