import CastqText

/// The folders whose files faces show and may enqueue, and no other files: the library of the page, and what clients of the Music Player
/// Daemon browse.
///
/// One folder is the root; of several, each is a folder of the root, by its own name.
package struct MediaFolders: Sendable {
  /// What a folder contains.
  package struct Item: Sendable, Hashable {
    package enum Kind: Sendable { case folder, media }
    package let kind: Kind
    /// As clients call it.
    package let name: String
    /// Absolute.
    package let path: String

    package init(kind: Kind, name: String, path: String) {
      (self.kind, self.name, self.path) = (kind, name, path)
    }
  }

  /// Why there is nothing of a name.
  package enum Problem: Error, Sendable, Hashable {
    /// There is no such file or folder, or it lies elsewhere, or among what systems leave behind.
    case missing
    /// An address of a file that is in none of the folders.
    case outside
    /// A file of this name that is neither film, sound nor picture.
    case noMedia(String)
    /// A folder that cannot be read, and why.
    case unreadable(String)
    /// More files than are listed.
    case full
  }

  private let roots: [(name: String, path: String)]
  let loader: @Sendable () -> any PlaylistLoader

  /// Files in a folder and all folders in it, and how deep those lie.
  private static let (most, deepest) = (100_000, 32)

  /// - Parameters:
  ///   - folders: absolute paths.
  ///   - loader: reads folders; one for each look.
  package init(_ folders: [String], loader: @escaping @Sendable () -> any PlaylistLoader) {
    // As addresses of files have them.
    let paths = folders.map { FilePath.absolute($0, in: "/") }
    roots = paths.count == 1 ? [("", paths[0])] : paths.map { (FilePath.name(of: $0), $0) }
    self.loader = loader
  }

  // MARK: - Names

  /// Whether there are any.
  package var isEmpty: Bool { roots.isEmpty }

  /// What a name or `file:` address leads to.
  package func item(_ name: String) throws(Problem) -> Item {
    if FilePath.isURL(name) {
      guard let path = try? FilePath.path(url: name), let name = self.name(of: path) else {
        throw .outside
      }
      return try item(name)
    }
    let parts = name.split(separator: "/").map(String.init)
    guard !parts.isEmpty else { return Item(kind: .folder, name: "", path: "") }
    guard parts.allSatisfy({ !$0.hasPrefix(".") }) else { throw .missing }
    let isAlone = roots.count == 1 && roots.first?.name == ""
    guard let root = isAlone ? roots.first : roots.first(where: { $0.name == parts[0] }) else {
      throw .missing
    }
    let inside = isAlone ? parts[...] : parts.dropFirst()
    // What no list of a folder has cannot be added by its name either.
    guard !inside.contains(where: SystemNames.contains) else { throw .missing }
    let path = ([root.path] + inside).joined(separator: "/")
    let loader = loader()
    guard isInside(path, root.path, loader) else { throw .missing }
    switch loader.kind(of: path) {
    case .directory: return Item(kind: .folder, name: parts.joined(separator: "/"), path: path)
    case .file:
      guard Self.isMedia(path) else {
        throw .noMedia(name)
      }
      return Item(kind: .media, name: parts.joined(separator: "/"), path: path)
    case .missing, .other: throw .missing
    }
  }

  /// Whether a name is that of a folder; an address of the web is none.
  package func isFolder(_ name: String) throws(Problem) -> Bool {
    if name.contains("://"), !FilePath.isURL(name) { return false }
    return try item(name).kind == .folder
  }

  /// Links are followed, and must not lead out of the folder.
  private func isInside(_ path: String, _ root: String, _ loader: any PlaylistLoader) -> Bool {
    let (real, base) = (loader.canonicalPath(path), loader.canonicalPath(root))
    return real == base || real.hasPrefix(base == "/" ? "/" : base + "/")
  }

  /// Whether a file lies in one of the folders, wherever links lead.
  func isVisible(_ path: String, _ loader: any PlaylistLoader) -> Bool {
    roots.contains { isInside(path, $0.path, loader) }
  }

  private static func isMedia(_ path: String) -> Bool {
    guard PlaylistFormat(fileExtension: FilePath.fileExtension(of: path)) == nil,
      let type = ContentTypes.standard.fileType(path: path)
    else { return false }
    return type != ContentTypes.page
  }

  /// How clients call a file; nil for one that is in none of the folders.
  package func name(of path: String) -> String? {
    for root in roots where path.hasPrefix(root.path + "/") {
      let rest = String(path.dropFirst(root.path.count + 1))
      return root.name.isEmpty ? rest : "\(root.name)/\(rest)"
    }
    return nil
  }

  /// The `file` of an entry: its name in the folders, else its address.
  package func file(of url: String) -> String {
    guard FilePath.isURL(url), let path = try? FilePath.path(url: url) else { return url }
    return name(of: path) ?? url
  }

  // MARK: - Contents

  /// Where a folder is; empty for the root of several.
  package func path(of folder: Item) -> String {
    folder.path.isEmpty && roots.first?.name == "" ? roots.first?.path ?? "" : folder.path
  }

  /// What is in a folder, folders first.
  package func contents(of folder: Item) throws(Problem) -> [Item] {
    let loader = loader()
    guard !folder.path.isEmpty || roots.first?.name == "" else {
      return roots.map { Item(kind: .folder, name: $0.name, path: $0.path) }
    }
    let path = path(of: folder)
    guard !path.isEmpty else { return [] }
    let names: [String]
    do { names = try loader.list(path) } catch { throw .unreadable(error.message) }
    // A name that no client can send as it is stands in no list.
    let visible = names.filter {
      !$0.hasPrefix(".") && !SystemNames.contains($0) && TerminalText.sanitized($0) == $0
    }
    .sorted(by: NaturalOrder.precedes)
    let items = visible.prefix(Self.most).compactMap { child -> Item? in
      let name = folder.name.isEmpty ? child : "\(folder.name)/\(child)"
      return try? item(name)
    }
    return items.filter { $0.kind == .folder } + items.filter { $0.kind == .media }
  }

  /// What is in a folder and in the folders in it, each folder before what it contains. A folder to which several ways lead is there once.
  /// - Parameter read: what is in one folder; nil reads it, and fails where that fails.
  package func tree(
    of folder: Item, reading read: ((Item) throws(Problem) -> [Item])? = nil
  ) throws(Problem) -> [Item] {
    var items: [Item] = []
    var seen: Set = [loader().canonicalPath(path(of: folder))]
    try add(folder, to: &items, seen: &seen, depth: 0, read ?? contents)
    return items
  }

  private func add(
    _ folder: Item, to items: inout [Item], seen: inout Set<String>, depth: Int,
    _ read: (Item) throws(Problem) -> [Item]
  ) throws(Problem) {
    guard depth < Self.deepest else { return }
    let loader = loader()
    for item in try read(folder) {
      guard items.count < Self.most else { throw .full }
      if item.kind == .folder, !seen.insert(loader.canonicalPath(item.path)).inserted { continue }
      items.append(item)
      if item.kind == .folder { try add(item, to: &items, seen: &seen, depth: depth + 1, read) }
    }
  }
}
