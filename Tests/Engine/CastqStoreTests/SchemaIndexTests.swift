import CastqStore
import GRDB
import Testing

@Suite("The indexes of the schema")
struct SchemaIndexTests {
  @Test("what refers to a programme is found by an index: thousands of them go at once")
  func programmeReferences() throws {
    let fixture = try StoreFixture()
    let columns = try fixture.outside().read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT t.name AS child, f."from" AS column, EXISTS (
            SELECT 1 FROM pragma_index_list(t.name) i, pragma_index_info(i.name) c
            WHERE c.seqno = 0 AND c.name = f."from") AS is_indexed
          FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table' AND f."table" = 'programme'
          """
      ).map { ("\($0["child"] as String).\($0["column"] as String)", $0["is_indexed"] as Bool) }
    }
    #expect(columns.count >= 4)
    for (column, isIndexed) in columns { #expect(isIndexed, "\(column)") }
  }
}
