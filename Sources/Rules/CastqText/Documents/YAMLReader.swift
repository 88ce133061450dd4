import CYaml
import CastProtocol

/// Reads one YAML document from the events of libyaml.
///
/// It uses events instead of a tree, so that depth, size and aliases are bounded before memory is allocated, a duplicate key
/// loses only itself, and everything before a syntax error is kept.
package struct YAMLReader {
  private var builder: DocumentBuilder
  private var documents = 0

  package static func read(_ bytes: [UInt8], limits: DocumentLimits) -> PositionedDocument {
    var reader = YAMLReader(builder: DocumentBuilder(limits: limits))
    do throws(DocumentError) {
      guard bytes.count <= limits.bytes else {
        throw DocumentError(
          place: DocumentPlace(line: 1, column: 1),
          error: TextError("the playlist is larger than \(limits.bytes) bytes"))
      }
      let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
      try reader.read(hasMark ? Array(bytes.dropFirst(3)) : bytes)
    } catch {
      reader.builder.fail(error)
    }
    return reader.builder.document
  }

  private mutating func read(_ bytes: [UInt8]) throws(DocumentError) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else {
      throw DocumentError(
        place: DocumentPlace(line: 1, column: 1), error: TextError("out of memory"))
    }
    defer { yaml_parser_delete(parser) }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    _ = Self.nesting
    // The parser keeps the pointer, so it is used only while the pointer is valid.
    let result = bytes.withUnsafeBufferPointer { buffer -> Result<Void, DocumentError> in
      yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
      do throws(DocumentError) {
        while try handleEvent(parser, bytes) {}
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// libyaml looks for a key up to 1024 characters ahead, and with its own limit of levels it would refuse a list at the first bracket.
  /// With this one the builder sees each level, and refuses the one that is too deep at its place.
  private static let nesting: Void = yaml_set_max_nest_level(4096)

  /// Handles one event; false at the end.
  private mutating func handleEvent(_ parser: UnsafeMutablePointer<yaml_parser_t>, _ bytes: [UInt8])
    throws(DocumentError) -> Bool
  {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw Self.error(parser.pointee, bytes) }
    defer { yaml_event_delete(&event) }
    let place = Self.place(event.start_mark)
    switch event.type {
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return false
    case YAML_DOCUMENT_START_EVENT:
      documents += 1
      guard documents == 1 else {
        throw DocumentError(
          place: place, error: TextError("a second document begins; only the first one is read"))
      }
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      checkTag(start.tag, ["tag:yaml.org,2002:seq"], at: place)
      try builder.open(isMapping: false, at: place, anchor: Self.text(start.anchor))
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      checkTag(start.tag, ["tag:yaml.org,2002:map"], at: place)
      try builder.open(isMapping: true, at: place, anchor: Self.text(start.anchor))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: try builder.close()
    case YAML_ALIAS_EVENT: try builder.alias(Self.text(event.data.alias.anchor) ?? "", at: place)
    case YAML_SCALAR_EVENT: try scalar(event.data.scalar, at: place)
    default: break
    }
    return true
  }

  private mutating func scalar(
    _ scalar: yaml_event_t.__Unnamed_union_data.__Unnamed_struct_scalar, at place: DocumentPlace
  ) throws(DocumentError) {
    let text = String(
      decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    let tag = Self.text(scalar.tag)
    let isText =
      tag == "!" || tag == "tag:yaml.org,2002:str" || (tag == nil && scalar.style != YAML_PLAIN_SCALAR_STYLE)
    checkTag(scalar.tag, Self.scalarTags, at: place)
    try builder.scalar(
      isText ? .string(text) : CoreSchema.value(text), text: text, at: place,
      anchor: Self.text(scalar.anchor))
  }

  private static let scalarTags = ["str", "int", "float", "bool", "null"].map { "tag:yaml.org,2002:\($0)" }

  private mutating func checkTag(
    _ tag: UnsafeMutablePointer<UInt8>?, _ known: [String], at place: DocumentPlace
  ) {
    guard let tag = Self.text(tag), tag != "!", !known.contains(tag) else { return }
    builder.report(
      place, TextError("the tag \(TerminalText.excerpt(tag)) is not supported", hint: "leave it out"))
  }

  private static func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  private static func place(_ mark: yaml_mark_t) -> DocumentPlace {
    DocumentPlace(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
  }

  /// The character with this number, from 0; nil behind the last.
  private static func scalar(in bytes: [UInt8], at number: Int) -> Unicode.Scalar? {
    var left = number
    for (start, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 {
      if left == 0 { return String(decoding: bytes[start...].prefix(4), as: UTF8.self).unicodeScalars.first }
      left -= 1
    }
    return nil
  }

  private static func error(_ parser: yaml_parser_t, _ bytes: [UInt8]) -> DocumentError {
    let problem = parser.problem.map { String(cString: $0) } ?? "it cannot be read"
    guard parser.error == YAML_READER_ERROR else {
      let context = parser.context.map { String(cString: $0) }
      var place = place(parser.problem_mark)
      let last = bytes.last ?? 0x0A
      if place.column == 1, place.line > 1, last != 0x0A, last != 0x0D,
        Int(clamping: parser.problem_mark.index) >= bytes.count(where: { $0 & 0xC0 != 0x80 })
      {
        // The scanner terminates an unterminated last line, and reports the line after it.
        place.line -= 1
        place.column = DocumentPlace(inBytes: bytes, offset: bytes.count).column
      }
      let words = YAMLProblem(
        problem, while: context, from: context.map { _ in Self.place(parser.context_mark).line },
        at: scalar(in: bytes, at: Int(clamping: parser.problem_mark.index)))
      return DocumentError(place: place, error: words.error)
    }
    // libyaml reports a byte offset: invalid UTF-8 or a control character.
    let place = DocumentPlace(inBytes: bytes, offset: Int(clamping: parser.problem_offset))
    let isCharacter = parser.problem_value >= 0 && problem.utf8.starts(with: "control".utf8)
    return DocumentError(
      place: place,
      error: isCharacter
        ? TextError("a control character", hint: #"write it as "\xNN" in double quotes"#)
        : TextError("not UTF-8", hint: "save the file as UTF-8"))
  }
}

extension DocumentPlace {
  /// The place of a byte of UTF-8 text.
  init(inBytes bytes: [UInt8], offset: Int) {
    var (line, column) = (1, 1)
    var index = 0
    let end = min(max(offset, 0), bytes.count)
    while index < end {
      let byte = bytes[index]
      let endsLine = byte == 0x0A || (byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A))
      if endsLine {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80, byte != 0x0D {
        column += 1
      }
      index += 1
    }
    self.init(line: line, column: column)
  }
}
