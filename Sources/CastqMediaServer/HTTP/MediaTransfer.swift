import NIOCore

/// One answer with a file in it, on its way: which bytes are with the network and which come next.
///
/// The file is sent in bounded pieces by sendfile, each only after the one before is with the network, so a slow
/// reader costs two descriptors and no memory.
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

  /// The next piece; nil when the file no longer reaches to its end.
  func nextPiece() -> FileRegion? {
    pieceEnd = offset + min(pieceBytes, range.upperBound - offset)
    return hasShrunk ? nil : FileRegion(fileHandle: file.handle, readerIndex: offset, endIndex: pieceEnd)
  }

  func pieceSent() { offset = pieceEnd }

  /// The file ends before the piece that is being sent. sendfile then moves nothing for ever without saying so.
  var hasShrunk: Bool { file.currentSize.map { $0 < pieceEnd } ?? true }

  /// To be called once, when no piece is with the channel any more.
  func close() { file.close() }
}
