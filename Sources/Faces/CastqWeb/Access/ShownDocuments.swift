import CastProtocol
import CastqOperations
import CastqStore
import CastqText

/// The one way to documents for everything that answers: who may not edit gets them without the secrets of addresses.
struct ShownDocuments: Sendable {
  private let documents: any WebDocuments

  init(_ documents: any WebDocuments) { self.documents = documents }

  /// Answers a question, or performs a change, for somebody of a role.
  /// - Parameter step: hears how far it is where that takes long.
  func answer(
    _ question: WebQuestion, for role: WebRole, step: @escaping @Sendable (JSONValue) async -> Void = { _ in }
  ) async throws(Failure) -> WebDocument {
    do throws(Failure) {
      let document = try await documents.answer(question, step: step)
      return role.shown(question.hasSources ? role.withoutFolders(document) : document)
    } catch {
      throw role.shown(error)
    }
  }

  /// A device by any of its names, for somebody of a role.
  func device(_ name: String, for role: WebRole) async throws(Failure) -> KnownDevice {
    do throws(Failure) { return try await documents.device(name) } catch { throw role.shown(error) }
  }

  /// Reads the words of a question, and neither asks nor does anything.
  func check(_ question: WebQuestion) throws(Failure) { try documents.check(question) }
}

extension WebQuestion {
  /// Whether its document has the sources of programmes.
  fileprivate var hasSources: Bool {
    switch self {
    case .list(.programmes), .programme, .programmeShelf: true
    default: false
    }
  }
}

extension WebRole {
  /// Whether it sees what the computer's owner sees.
  private var seesSecrets: Bool { self >= .edit }

  /// A document as this role sees it.
  func shown(_ document: WebDocument) -> WebDocument {
    guard !seesSecrets else { return document }
    var shown = document
    if !document.text.isEmpty {
      shown.text = TerminalText.escaped(document: AddressText.withoutSecrets(words: document.text))
    }
    if let file = document.bytes, file.type.hasPrefix("text/csv") {
      let table = CSVField.withoutSecrets(String(decoding: file.bytes, as: UTF8.self))
      shown.bytes = (file.type, Array(table.utf8))
    }
    return shown
  }

  /// Programmes with the names of their files and folders alone: where those lie is the owner's business.
  fileprivate func withoutFolders(_ document: WebDocument) -> WebDocument {
    guard !seesSecrets, case .object(var members) = document.json else { return document }
    if let programmes = members["programmes"]?.array {
      members["programmes"] = .array(programmes.map(Self.withoutFolder))
    }
    return WebDocument(Self.withoutFolder(.object(members)), version: document.version)
  }

  /// A programme whose `source`, and what its `problem` says of it, is the last part of the path.
  private static func withoutFolder(_ programme: JSONValue) -> JSONValue {
    guard case .object(var members) = programme, let source = members["source"]?.string,
      source.hasPrefix("/") || source.hasPrefix("file:"),
      let name = source.split(separator: "/").last
    else { return programme }
    members["source"] = .string(String(name))
    members["problem"] = members["problem"]?.string.map { .string($0.replacing(source, with: name)) }
    return .object(members)
  }

  /// A failure as this role sees it.
  func shown(_ failure: Failure) -> Failure {
    guard !seesSecrets else { return failure }
    var shown = failure.mapWords { AddressText.withoutSecrets($0) }
    shown.receiver = failure.receiver.map { AddressText.withoutSecrets($0) }
    return shown
  }

  /// Which of two texts this role sees: one with secrets, or the same without them.
  func chosen(_ whole: String, hidden: String) -> String { seesSecrets ? whole : hidden }
}
