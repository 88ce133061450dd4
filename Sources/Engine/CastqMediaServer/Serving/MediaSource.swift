/// What is served of a file in place of its bytes.
package struct MediaConversion: Sendable {
  /// Tells conversions of one file apart; each has an address of its own.
  package let name: String
  /// Bytes of the largest file that is converted; larger ones are not found.
  package let limit: Int
  /// The bytes to serve; nil answers that there is nothing. Called on a thread of its own for each request.
  package let convert: @Sendable ([UInt8]) -> [UInt8]?

  package init(name: String, limit: Int, convert: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
    self.name = name
    self.limit = limit
    self.convert = convert
  }
}

/// A document that is made when it is asked for.
package struct MediaDocument: Sendable {
  /// The same document has the same name, and so the same address.
  package let name: String
  /// The bytes to serve; nil answers that there is nothing. Must return within a time limit of its own.
  package let make: @Sendable () async -> [UInt8]?

  package init(name: String, make: @escaping @Sendable () async -> [UInt8]?) {
    self.name = name
    self.make = make
  }
}

/// A manifest, and the pieces that it names, which are made when they are asked for.
package struct MediaPieces: Sendable {
  /// Tells what is made of one file apart; each has an address of its own.
  package let name: String
  /// The absolute path of the file that they are made of.
  package let path: String
  /// The content type of a piece.
  package let pieceType: String
  /// The bytes of the piece with this name, or of the manifest for nil; nil answers that there is none. The name is a stranger's text. Must
  /// return within a time limit of its own.
  package let make: @Sendable (_ piece: String?) async -> [UInt8]?

  package init(
    name: String, path: String, pieceType: String,
    make: @escaping @Sendable (_ piece: String?) async -> [UInt8]?
  ) {
    self.name = name
    self.path = path
    self.pieceType = pieceType
    self.make = make
  }
}

/// What a link leads to. Paths are absolute, without symbolic links at the time of publishing.
enum MediaSource: Sendable {
  case file(path: String)
  case converted(path: String, MediaConversion)
  case document(MediaDocument)
  case pieces(MediaPieces)

  /// The file that is read; nil for a document.
  var path: String? {
    switch self {
    case .file(let path), .converted(let path, _): path
    case .pieces(let pieces): pieces.path
    case .document: nil
    }
  }

  /// The same for what has one address. No path contains a NUL.
  var key: String {
    switch self {
    case .file(let path): path
    case .converted(let path, let conversion): "\(path)\u{0}\(conversion.name)"
    case .document(let document): "\u{0}\(document.name)"
    case .pieces(let pieces): "\(pieces.path)\u{0}\(pieces.name)"
    }
  }
}
