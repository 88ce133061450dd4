import CastqOperations
import CastqText
import HTTPTypes
import Hummingbird
import NIOCore

/// The files of a paper: its table, and the signed proof behind it.
extension WebSite {
  /// The table of a paper as comma-separated values.
  func paperTable(_ request: WebRequest) async throws -> Response {
    let asked = context(.reports, request).asked
    var options = asked.options
    options.values.append(.init("format", "csv"))
    let answer = try await documents.answer(.paper(asked.paper, options), for: request.visitor.role)
    return Self.file(answer, "\(asked.fileName).csv")
  }

  /// What `castq report proof` writes, of the time and the screens of a form. Its first use makes the key of the site, so only a form of
  /// this page begins it.
  func signedProof(_ request: WebRequest) async throws -> Response {
    let form = try await form(request)
    let names: Set = ["since", "until", "device", "tz"]
    let options = WebOptions(form.values.filter { names.contains($0.name) && !$0.value.isEmpty })
    do {
      let answer = try await documents.answer(.proof(options), for: request.visitor.role)
      return Self.file(answer, "castq.proof")
    } catch {
      let number = notices.keep(.mistake(error, form: form))
      let back = Self.local(form["back"])
      return Response(
        status: .seeOther, headers: [.location: "\(back)\(back.contains("?") ? "&" : "?")notice=\(number)"])
    }
  }

  private static func file(_ answer: WebDocument, _ name: String) -> Response {
    let file = answer.bytes ?? (type: "application/json", bytes: Array(answer.text.utf8))
    return Response(
      status: .ok,
      headers: [
        .contentType: file.type, .contentDisposition: "attachment; filename=\"\(name)\"",
      ], body: .init(byteBuffer: ByteBuffer(bytes: file.bytes)))
  }
}
