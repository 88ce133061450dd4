import CWebAssets
import CastTLS
import CastqGzip
import NIOCore

/// The files that pages load: compiled in, and at paths with a digest of all of them, so that a browser keeps them for ever and
/// modules import each other by relative paths.
struct WebAssets: Sendable {
  struct File: Sendable {
    let type: String
    let bytes: ByteBuffer
    /// The same, compressed; nil where nothing is gained by that.
    let packed: ByteBuffer?

    init(type: String, bytes: ByteBuffer) {
      self.type = type
      self.bytes = bytes
      let pays = PackedAnswer.pays(type) && bytes.readableBytes >= PackedAnswer.least
      packed = pays ? Gzip.compressed(bytes) : nil
    }
  }

  /// 16 hexadecimal digits.
  let digest: String
  private let files: [String: File]

  /// The name of a person's style; there is none without one.
  static let style = "style.css"

  /// - Parameter style: the style sheet of a person; nil without one.
  init(style: String? = nil) throws(TLSError) {
    var files: [String: File] = [:]
    var all: [UInt8] = []
    var index: UInt = 0
    while let asset = castq_web_asset_at(index)?.pointee {
      let bytes = UnsafeBufferPointer(start: asset.bytes, count: Int(asset.length))
      let name = String(cString: asset.name)
      files[name] = File(type: String(cString: asset.type), bytes: ByteBuffer(bytes: bytes))
      all += Array(name.utf8) + [0] + bytes
      index += 1
    }
    // A page loads one sheet: the common look, and behind it its own.
    if let common = files["app.css"] {
      for name in PageFrame.sheets {
        guard let own = files[name] else { continue }
        var bytes = common.bytes
        bytes.writeImmutableBuffer(own.bytes)
        files[name] = File(type: own.type, bytes: bytes)
      }
    }
    if let style {
      files[Self.style] = File(type: "text/css; charset=utf-8", bytes: ByteBuffer(string: style))
      all += Array(style.utf8)
    }
    self.files = files
    digest = String(try SHA256.text(of: all).prefix(16))
  }

  /// The path of a file in pages.
  func path(_ name: String) -> String { "/assets/\(digest)/\(name)" }

  /// The file at a path; nil when there is none. An older digest has no files: its pages are gone, too.
  func file(digest: String, name: String) -> File? { digest == self.digest ? files[name] : nil }
}
