import NIOCore

/// The progress of one response with a file.
///
/// The file is sent in bounded pieces by sendfile, each after the one before was written, so a slow reader costs two
/// descriptors and no memory.
final class MediaTransfer {
  /// A piece of the file, with the text that precedes it in the body; the text is usually empty.
  struct Piece {
    let heading: String
    let region: FileRegion
  }

  let body: MediaBody
  private let file: MediaFile
  private let pieceBytes: Int
  private var witness: MediaFileWitness
  /// The index of the present part.
  private var part = 0
  private var offset: Int
  private var pieceEnd: Int
  /// Bytes of the file that were passed to the system.
  private(set) var bytesSent = 0

  init(file: MediaFile, body: MediaBody, pieceBytes: Int) {
    self.file = file
    self.body = body
    self.pieceBytes = max(1, pieceBytes)
    witness = MediaFileWitness(file, at: body.offset)
    offset = body.offset
    pieceEnd = body.offset
  }

  var isComplete: Bool { part == body.parts.count }

  /// The next piece; nil when all were sent, or when the file has no longer the content that was promised.
  func nextPiece() -> Piece? {
    guard !isComplete, isIntact else { return nil }
    let range = body.parts[part].range
    let heading = offset == range.lowerBound ? body.parts[part].heading : ""
    pieceEnd = offset + min(pieceBytes, range.upperBound - offset)
    return Piece(
      heading: heading, region: FileRegion(fileHandle: file.handle, readerIndex: offset, endIndex: pieceEnd))
  }

  func pieceSent() {
    bytesSent += pieceEnd - offset
    offset = pieceEnd
    guard offset == body.parts[part].range.upperBound else { return }
    part += 1
    guard !isComplete else { return }
    offset = body.parts[part].range.lowerBound
    pieceEnd = offset
  }

  /// Whether the file still has the content that was promised. It may grow: the response ends where the file ended.
  var isIntact: Bool { witness.confirms(file) }

  /// Must be called once, when no piece is being written.
  func close() { file.close() }
}
