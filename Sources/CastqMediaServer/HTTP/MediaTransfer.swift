import NIOCore

/// The progress of one response with a file.
///
/// The file is sent in bounded pieces by sendfile, each after the one before was written, so a slow reader costs two
/// descriptors and no memory.
final class MediaTransfer {
  private let file: MediaFile
  private let range: Range<Int>
  private let pieceBytes: Int
  private var offset: Int
  private var pieceEnd: Int

  init(file: MediaFile, range: Range<Int>, pieceBytes: Int) {
    self.file = file
    self.range = range
    self.pieceBytes = max(1, pieceBytes)
    offset = range.lowerBound
    pieceEnd = range.lowerBound
  }

  var bytesSent: Int { offset - range.lowerBound }
  var isComplete: Bool { offset == range.upperBound }

  /// The next piece; nil when the file has become shorter than the end of the piece.
  func nextPiece() -> FileRegion? {
    pieceEnd = offset + min(pieceBytes, range.upperBound - offset)
    return hasShrunk ? nil : FileRegion(fileHandle: file.handle, readerIndex: offset, endIndex: pieceEnd)
  }

  func pieceSent() { offset = pieceEnd }

  /// Whether the file ends before the end of the present piece. sendfile would then send nothing for ever, without an error.
  var hasShrunk: Bool { file.currentSize.map { $0 < pieceEnd } ?? true }

  /// Must be called once, when no piece is being written.
  func close() { file.close() }
}
