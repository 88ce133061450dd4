import CastqPlaylists
import GRDB

/// The SQL function `castq_shuffle(seed, round, entry)`, which sorts by the shuffled order without reading all rows.
enum ShuffleFunction {
  static let function = DatabaseFunction("castq_shuffle", argumentCount: 3, pure: true) { values in
    guard values.count == 3, let seed = Int64.fromDatabaseValue(values[0]),
      let round = Int.fromDatabaseValue(values[1]), let entry = Int64.fromDatabaseValue(values[2])
    else { return nil }
    let key = ShuffleOrder.key(seed: UInt64(bitPattern: seed), round: round, entry: EntryID(entry))
    return Int64(bitPattern: key)
  }
}
