package import CastqMediaServer
package import CastqPlaylists
package import CastqPrograms

/// Makes the pieces of films that are converted while they play, for all devices of a process: a piece when a device asks for it, and the one behind
/// it meanwhile.
package actor LivePieces {
  private struct Piece: Hashable {
    var file: ProbedFile
    var conversion: LiveConversion
    var number: Int
  }

  /// Pieces kept: devices ask for one again when they seek back a little.
  private static let mostKept = 6
  /// Pieces that are asked for at the same time. A stranger with the link may ask for all of a film at once.
  private static let mostOpen = 16

  private let program: ChildProgram
  /// How long a piece may take: a device has shown nothing for longer then.
  private let time: Duration
  private var kept: [(piece: Piece, bytes: [UInt8])] = []
  private var open: [Piece: Task<[UInt8]?, Never>] = [:]
  /// Pieces made at the same time.
  private let lanes = Slots(2)
  private var hasEnded = false

  /// - Parameters:
  ///   - program: `ffmpeg`.
  ///   - time: how long it may take for a piece.
  package init(_ program: ChildProgram, time: Duration = .seconds(45)) {
    self.program = program
    self.time = time
  }

  /// What is served for a file.
  package nonisolated func media(_ file: ProbedFile, _ conversion: LiveConversion) -> MediaPieces {
    let name = "live \(file.size) \(file.modified) \(conversion.fingerprint)"
    return MediaPieces(name: name, path: file.path, pieceType: LiveConversion.pieceType) { name in
      guard let name else { return Array(conversion.manifest.utf8) }
      guard let number = conversion.piece(named: name) else { return nil }
      return await self.bytes(of: Piece(file: file, conversion: conversion, number: number))
    }
  }

  /// Ends what is being made; nothing else is begun.
  package func end() async {
    hasEnded = true
    let tasks = Array(open.values)
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.value }
    kept = []
  }

  private func bytes(of piece: Piece) async -> [UInt8]? {
    let bytes: [UInt8]?
    if let index = kept.firstIndex(where: { $0.piece == piece }) {
      let again = kept.remove(at: index)
      kept.append(again)
      bytes = again.bytes
    } else {
      bytes = await task(for: piece)?.value
    }
    if bytes != nil { makeNext(after: piece) }
    return bytes
  }

  /// Begins the next piece where nothing that a device waits for has to stand back for it.
  private func makeNext(after piece: Piece) {
    var next = piece
    next.number += 1
    guard next.number < piece.conversion.pieceCount, lanes.hasFree,
      !kept.contains(where: { $0.piece == next })
    else { return }
    _ = task(for: next)
  }

  /// Nil when nothing more is made.
  private func task(for piece: Piece) -> Task<[UInt8]?, Never>? {
    if let task = open[piece] { return task }
    guard !hasEnded, open.count < Self.mostOpen else { return nil }
    let task = Task { await make(piece) }
    open[piece] = task
    return task
  }

  private func make(_ piece: Piece) async -> [UInt8]? {
    await lanes.enter()
    let bytes = await converted(piece)
    lanes.leave()
    open[piece] = nil
    guard let bytes, !hasEnded else { return nil }
    if kept.count >= Self.mostKept { kept.removeFirst() }
    kept.append((piece, bytes))
    return bytes
  }

  private func converted(_ piece: Piece) async -> [UInt8]? {
    // A file that was replaced has other pieces.
    guard !hasEnded, ProbedFile(piece.file.path) == piece.file else { return nil }
    let limits = ProgramLimits(
      time: time, outputBytes: LiveConversion.pieceBytes, memoryBytes: 4 << 30, niceness: 5)
    do {
      let bytes = try await program.run(
        piece.conversion.arguments(piece: piece.number, from: piece.file.path), limits: limits)
      return bytes.isEmpty ? nil : bytes
    } catch {
      // The device has its own words for a piece that is missing, and history says what the file is made of.
      return nil
    }
  }
}
