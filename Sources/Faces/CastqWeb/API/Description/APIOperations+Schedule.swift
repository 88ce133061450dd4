import CastProtocol
import CastqOperations

extension APIOperation {
  static let schedule: [String: APIOperation] = [
    "GET /schedule": .init("castq schedule ls", .document(.of(.rules))),
    "GET /schedule/rules/{name}": .init("castq schedule show", .document(.of(.rule), hasTag: true)),
    "PUT /schedule/rules/{name}": .init(
      "castq schedule add --replace", .done(.of(.rule), hasTag: true),
      given: [
        .header(
          "If-Match", .text,
          "The ETag of the rule that is replaced, or * for whatever it is; without it a rule is made.")
      ], body: .of(.ruleChange)),
    "PATCH /schedule/rules/{name}": .init(
      "castq schedule enable and disable, and other members of a rule as it is put; null gives one its usual value",
      .done(.of(.rule), hasTag: true),
      given: [.header("If-Match", .text, "The ETag of the rule that was seen, or * for whatever it is.")],
      body: .object),
    "DELETE /schedule/rules/{name}": .init(
      "castq schedule rm", .nothing,
      given: [.header("If-Match", .text, "The ETag of the rule that is removed, or * for whatever it is.")]),
    "POST /schedule/rules/{name}/exceptions": .init(
      "castq schedule skip, move and replace", .done(.of(.rule)), body: .of(.exception)),
    "POST /schedule/rules/{name}/preview": .init(
      "What a change of the rule would change, as castq schedule apply --dry-run and castq plan --diff say it",
      .done(.of(.preview), "What would change; nothing has."), body: .of(.previewRequest)),
    "GET /programmes": .init(
      "castq programme ls", .document(.object([.has("programmes", .list(of: .object))]))),
    "GET /programmes/{name}": .init("castq programme show", .document(.object)),
    "POST /programmes": .init(
      "castq programme add, of a source or of files of the library", .made(.of(.madeProgramme), "Made."),
      body: .of(.newProgramme)),
    "DELETE /programmes/{name}": .init("castq programme rm", .nothing),
    "POST /programmes/{name}/files": .init(
      "Adds files of the library to a programme that was made of such.", .nothing, body: .of(.programmeFiles)),
    "GET /library": .init(
      "The films, music and pictures in the folders of the configuration.", .document(.of(.library)),
      given: [
        .query("kind", .choice(LibraryQuery.Kind.allCases.map(\.rawValue)), "Which files; all without it."),
        .query("q", .text, "Words of the name, the title, the artist or the album."),
        .query("folder", .text, "A folder, as `folders` names it; the whole library without it."),
        .query("from", .integer(from: 0), "Files before the first one."),
        .query("count", .integer(from: 1, to: LibraryQuery.most), "Files at most."),
      ]),
    "GET /groups": .init("castq group ls", .document(.object([.has("groups", .list(of: .object))]))),
    "GET /dayparts": .init("castq daypart ls", .document(.object([.has("dayparts", .list(of: .object))]))),
    "GET /calendars": .init("castq calendar ls", .document(.object([.has("calendars", .list(of: .object))]))),
    "GET /shares": .init("castq share ls", .document(.object([.has("shares", .list(of: .object))]))),
  ]
}
