import NIOCore

/// The progress of one response with a file.
///
/// The file is sent in bounded pieces by sendfile, each after the one before was written, so a slow reader costs two
/// descriptors and no memory.
final class MediaTransfer {
  /// A piece of the body.
  struct Piece {
    /// What precedes the region: the heading of a part, and the first bytes of the response.
    let opening: ByteBuffer?
    /// Nil when the opening is all.
    let region: FileRegion?
  }

  let body: MediaBody
  private let file: MediaFile
  private let pieceBytes: Int
  private var witness: MediaFileWitness
  /// The first bytes of the response: they leave in one packet with its header, so that a player has them a wake-up earlier. Nil once sent.
  private var first: ArraySlice<UInt8>?
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
    var bytes: [UInt8] = []
    witness = MediaFileWitness(file, at: body.offset, bytes: &bytes)
    first = bytes.prefix(min(body.parts[0].range.count, self.pieceBytes))
    offset = body.offset
    pieceEnd = body.offset
  }

  var isComplete: Bool { part == body.parts.count }

  /// The next piece; nil when all were sent, or when the file has no longer the content that was promised.
  func nextPiece() -> Piece? {
    // The first piece follows the opening of the file in the same step.
    guard !isComplete, first != nil || isIntact else { return nil }
    let range = body.parts[part].range
    var opening = ByteBuffer()
    if offset == range.lowerBound { opening.writeString(body.parts[part].heading) }
    let begun = first ?? []
    first = nil
    opening.writeBytes(begun)
    pieceEnd = offset + min(pieceBytes, range.upperBound - offset)
    let start = offset + begun.count
    let region = FileRegion(fileHandle: file.handle, readerIndex: start, endIndex: pieceEnd)
    return Piece(
      opening: opening.readableBytes > 0 ? opening : nil, region: start < pieceEnd ? region : nil)
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
