/// A table for readers: a column of names, and numbers to the right.
struct PaperTable {
  struct Column {
    let title: String
    var isNumber = true
  }

  let columns: [Column]
  /// Each as long as the columns.
  var rows: [[HTML]] = []
  /// The sums below the rows; nil for none.
  var total: [HTML]?

  init(_ name: String, _ numbers: [String]) {
    columns = [Column(title: name, isNumber: false)] + numbers.map { Column(title: $0) }
  }

  init(words: [String], numbers: [String] = []) {
    columns = words.map { Column(title: $0, isNumber: false) } + numbers.map { Column(title: $0) }
  }

  var html: HTML {
    .element(
      "table", [.class("rows-table")],
      [
        .element(
          "thead", [],
          [
            .element(
              "tr", [],
              columns.map {
                .element(
                  "th", [.init("scope", "col"), .init("class", $0.isNumber ? "number" : nil)],
                  [HTML($0.title)])
              })
          ]), .element("tbody", [], rows.map(line)),
        total.map { .element("tfoot", [], [line($0)]) } ?? .none,
      ])
  }

  private func line(_ cells: [HTML]) -> HTML {
    .element(
      "tr", [],
      zip(columns, cells).map { column, cell in
        .element(
          "td", [.init("data-label", column.title), .class(column.isNumber ? "number" : "wide-cell")], [cell])
      })
  }
}

/// Numbers that somebody looks for first, each with its words.
struct KeyNumbers {
  let numbers: [(number: String, words: String)]

  var html: HTML {
    .element(
      "dl", [.class("numbers")],
      numbers.map {
        .div([.class("panel")], .element("dt", [], [HTML($0.words)]), .element("dd", [], [HTML($0.number)]))
      })
  }
}
