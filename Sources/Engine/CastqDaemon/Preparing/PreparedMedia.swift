import CastProtocol
package import CastqFeeding
package import CastqPlaylists
package import CastqStore
import CastqText

/// What one device is sent in place of the files of entries: prepared files, and the types that files have whatever their names say.
///
/// It reads the database, and so may block. What is not prepared in time is sent as it is, because devices play more than they document.
package struct PreparedMedia: Sendable {
  private let media: DeviceMedia
  private let folder: PreparedFolder
  private let ahead: PreparationAhead?
  private let preparation: PreparationRules

  /// - Parameter ahead: converts while something plays; nil converts nothing.
  package init(
    _ device: KnownDevice, _ configuration: DaemonConfiguration, _ database: Database,
    ahead: PreparationAhead? = nil
  ) {
    self.ahead = ahead
    preparation = configuration.preparation
    let probes = ProbeMemory(nil, database)
    media = PreparedNeeds(database, probes: probes, configuration: configuration).media(for: device)
    folder = MediaPreparer(configuration.preparation, program: nil, database: database).folder
  }

  /// The entry as it is sent.
  package func chosen(_ draft: EntryDraft) -> EntryDraft {
    guard let path = draft.localFile, case .decided(let examined)? = media.known(draft) else { return draft }
    var chosen = draft
    let decision = examined.decision
    if decision.way == .direct {
      chosen.correctType(decision.contentType, of: path)
    } else if let recipe = decision.recipe, let name = PreparedFolder.name(of: examined.file, recipe),
      let prepared = folder.find(name)
    {
      chosen.play(file: prepared, contentType: decision.contentType)
    }
    return chosen
  }

  /// Whether anything may be converted while it plays.
  var convertsLive: Bool { preparation.isLive && preparation.allow.permits(.audio) }

  /// How the file of an entry is converted while it plays; nil where it plays as it is, or that is impossible or not allowed.
  /// - Returns: whether no device plays the file as it is, too.
  func live(_ draft: EntryDraft) -> (file: ProbedFile, conversion: LiveConversion, isCertain: Bool)? {
    guard preparation.isLive, case .decided(let examined)? = media.known(draft),
      examined.decision.way != .direct, let conversion = examined.live,
      preparation.allow.permits(conversion.way)
    else { return nil }
    return (examined.file, conversion, examined.decision.isCertain)
  }

  /// Why the file of an entry is converted while it plays, and whether that is without an attempt; nil where it is not.
  package func conversion(of draft: EntryDraft) -> (reason: String, isCertain: Bool)? {
    guard let (_, _, isCertain) = live(draft), chosen(draft) == draft,
      case .decided(let examined)? = media.known(draft)
    else { return nil }
    return (examined.decision.reason, isCertain)
  }

  /// Whether the file of an entry is being converted, which begins now if it is needed and allowed while something plays.
  /// - Parameter changed: called when it is over.
  func isAwaited(_ draft: EntryDraft, changed: @escaping @Sendable () -> Void) -> Bool {
    ahead?.isUnderWay(draft, for: media, changed: changed) ?? false
  }

  /// The address that is published for an entry with this one: that of its prepared file, if there is one.
  package func published(for address: String) -> String {
    guard FilePath.isURL(address), let path = try? FilePath.path(url: address) else { return address }
    let type = ContentTypes.standard.fileType(path: path)
    let draft = EntryDraft(media: MediaInformation(contentID: address, contentType: type), origin: .local)
    return chosen(draft).localFile.map(FilePath.url) ?? address
  }

  /// Why the device does not play the file of an address; nil where nothing speaks against it, or nothing is known of it.
  package func words(about address: String) -> String? {
    guard FilePath.isURL(address) else { return nil }
    let path: String
    do throws(TextError) { path = try FilePath.path(url: address) } catch { return nil }
    let type = ContentTypes.standard.fileType(path: path)
    let draft = EntryDraft(media: MediaInformation(contentID: address, contentType: type), origin: .local)
    switch media.known(draft) {
    case .notMedia(let words): return "the file is no media: \(words)"
    case .decided(let examined):
      let decision = examined.decision
      guard decision.way != .direct else { return nil }
      guard let recipe = decision.recipe else { return decision.reason }
      let isPrepared = PreparedFolder.name(of: examined.file, recipe).flatMap(folder.find) != nil
      return isPrepared
        ? nil : "the file \(decision.way.words): \(decision.reason); castq can convert it beforehand"
    case .unread, .notLocal, nil: return nil
    }
  }
}
