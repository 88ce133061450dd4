import CastProtocol

/// Why reading ended, and where.
struct DocumentError: Error {
  var place: DocumentPlace
  var error: TextError
}

/// Builds a tree from the events of a reader, without recursion and within limits.
struct DocumentBuilder {
  private struct Anchored {
    var node: DocumentNode
    var weight: Int
    var height: Int
  }

  /// A list or mapping that is not complete.
  private struct Open {
    var place: DocumentPlace
    var anchor: String?
    var isMapping: Bool
    var nodes: [DocumentNode] = []
    var members: [DocumentMember] = []
    var keys: Set<String> = []
    /// The key whose value is next; nil when a key is next.
    var key: Key?
    /// Number of values in it, itself included.
    var weight = 1
    /// Number of levels.
    var height = 1
  }

  private enum Key {
    case named(String, DocumentPlace)
    /// The next value is dropped, because its key was refused.
    case refused
  }

  let limits: DocumentLimits
  private var stack: [Open] = []
  private var anchors: [String: Anchored] = [:]
  private var weight = 0
  /// Bytes that the values take, about.
  private var memory = 0
  private(set) var document = PositionedDocument()

  init(limits: DocumentLimits) { self.limits = limits }

  /// Whether a mapping expects a key.
  var wantsKey: Bool {
    guard let top = stack.last else { return false }
    return top.isMapping && top.key == nil
  }

  mutating func report(_ place: DocumentPlace, _ error: TextError) {
    guard document.errors.count < limits.errors else { return }
    document.errors.append(Located(error, line: place.line, column: place.column))
  }

  /// Adds a scalar; in a mapping that expects a key, the key.
  mutating func scalar(
    _ value: JSONValue, text: String, at place: DocumentPlace, anchor: String? = nil
  ) throws(DocumentError) {
    guard text.utf8.count <= limits.scalarBytes else {
      return try refuseScalar(at: place, anchor: anchor)
    }
    try use(text.utf8.count, at: place)
    let node = DocumentNode(content: .scalar(value, text: text), place: place)
    if wantsKey {
      if let anchor { anchors[anchor] = Anchored(node: node, weight: 1, height: 0) }
      try count(1, at: place)
      key(text, at: place)
      return
    }
    try add(Anchored(node: node, weight: 1, height: 0), anchor: anchor, counts: true)
  }

  /// Reports a text that is too long, and drops only that text.
  mutating func refuseScalar(at place: DocumentPlace, anchor: String? = nil) throws(DocumentError) {
    report(place, TextError("a text is longer than \(limits.scalarBytes) bytes"))
    try count(1, at: place)
    if let anchor {
      let nothing = DocumentNode(content: .scalar(.null, text: ""), place: place)
      anchors[anchor] = Anchored(node: nothing, weight: 1, height: 0)
    }
    let isKey = wantsKey
    guard let top = stack.indices.last, stack[top].isMapping else { return }
    stack[top].key = isKey ? .refused : nil
  }

  mutating func open(isMapping: Bool, at place: DocumentPlace, anchor: String? = nil)
    throws(DocumentError)
  {
    guard stack.count < limits.depth else {
      throw DocumentError(
        place: place, error: TextError("nested more than \(limits.depth) deep"))
    }
    try count(1, at: place)
    try use(0, at: place)
    if wantsKey {
      report(place, TextError("a list or a mapping cannot be a key", hint: "write a plain name"))
      stack[stack.count - 1].key = .refused
      stack.append(Open(place: place, anchor: anchor, isMapping: isMapping))
      // It takes the place of the key; its value follows.
      refusedKeys.append(stack.count)
      return
    }
    stack.append(Open(place: place, anchor: anchor, isMapping: isMapping))
  }

  /// Depths of lists and mappings in place of a key.
  private var refusedKeys: [Int] = []

  mutating func close() throws(DocumentError) {
    guard let top = stack.popLast() else { return }
    let content: DocumentNode.Content = top.isMapping ? .mapping(top.members) : .list(top.nodes)
    let whole = Anchored(
      node: DocumentNode(content: content, place: top.place), weight: top.weight, height: top.height)
    if refusedKeys.last == stack.count + 1 {
      refusedKeys.removeLast()
      if let anchor = top.anchor { anchors[anchor] = whole }
      return
    }
    try add(whole, anchor: top.anchor, counts: false)
  }

  /// Repeats the value of an anchor. It counts in full: a few lines can stand for more than any memory holds.
  mutating func alias(_ name: String, at place: DocumentPlace) throws(DocumentError) {
    guard let anchored = anchors[name] else {
      throw DocumentError(
        place: place, error: TextError("`*\(TerminalText.excerpt(name))` names no anchor before it")
      )
    }
    guard stack.count + anchored.height <= limits.depth else {
      throw DocumentError(place: place, error: TextError("nested more than \(limits.depth) deep"))
    }
    if wantsKey {
      try count(1, at: place)
      if case .scalar(_, let text) = anchored.node.content {
        key(text, at: place)
      } else {
        report(place, TextError("a list or a mapping cannot be a key", hint: "write a plain name"))
        stack[stack.count - 1].key = .refused
      }
      return
    }
    try add(anchored, anchor: nil, counts: true)
  }

  private mutating func key(_ text: String, at place: DocumentPlace) {
    let top = stack.count - 1
    if stack[top].keys.insert(text).inserted {
      stack[top].key = .named(text, place)
    } else {
      report(
        place,
        TextError("`\(TerminalText.excerpt(text))` is given twice here; only the first is read"))
      stack[top].key = .refused
    }
  }

  private mutating func count(_ nodes: Int, at place: DocumentPlace) throws(DocumentError) {
    let (sum, overflows) = weight.addingReportingOverflow(nodes)
    guard !overflows, sum <= limits.nodes else {
      throw DocumentError(
        place: place, error: TextError("more than \(limits.nodes) values, aliases counted in full"))
    }
    weight = sum
  }

  /// A value is kept, with a text of this many bytes; short ones lie in the value itself.
  private mutating func use(_ bytes: Int, at place: DocumentPlace) throws(DocumentError) {
    memory += MemoryLayout<DocumentNode>.stride + (bytes > 15 ? bytes : 0)
    guard memory <= limits.memory else {
      throw DocumentError(
        place: place, error: TextError("the values take more than \(limits.memory >> 20) MiB of memory"))
    }
  }

  private mutating func add(_ value: Anchored, anchor: String?, counts: Bool) throws(DocumentError) {
    if counts { try count(value.weight, at: value.node.place) }
    if let anchor { anchors[anchor] = value }
    guard !stack.isEmpty else {
      document.root = value.node
      return
    }
    let top = stack.count - 1
    stack[top].weight += value.weight
    stack[top].height = max(stack[top].height, value.height + 1)
    guard stack[top].isMapping else {
      if stack[top].nodes.count <= limits.elements {
        stack[top].nodes.append(value.node)
      } else {
        memory -= min(memory, MemoryLayout<DocumentNode>.stride)
      }
      return
    }
    if case .named(let name, let place) = stack[top].key {
      stack[top].members.append(DocumentMember(key: name, place: place, value: value.node))
    }
    stack[top].key = nil
  }

  /// Ends the reading with an error and keeps what was complete before it. The outermost value keeps its complete members, and
  /// so does a list directly inside it; deeper values are dropped.
  mutating func fail(_ error: DocumentError) {
    report(error.place, error.error)
    refusedKeys = []
    guard let outer = stack.first, document.root == nil else { return }
    var members = outer.members
    if stack.count > 1, !stack[1].isMapping, case .named(let name, let place) = outer.key {
      let list = DocumentNode(content: .list(stack[1].nodes), place: stack[1].place)
      members.append(DocumentMember(key: name, place: place, value: list))
    }
    document.root = DocumentNode(
      content: outer.isMapping ? .mapping(members) : .list(outer.nodes), place: outer.place)
    stack = []
  }
}
