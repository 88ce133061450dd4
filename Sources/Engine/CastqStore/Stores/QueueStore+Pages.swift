import CastProtocol
import CastqPlaylists
import GRDB

/// What the pages of a list say of themselves.
extension QueueStore {
  /// Adds title, picture and length where the list gives none. Repeating it changes nothing.
  func describe(_ entry: EntryID, _ description: PageDescription, on device: DeviceID) throws(StoreError) {
    try database.write { db in
      let media = "(SELECT media_item_id FROM queue_entry WHERE id = :entry AND device_id = :device)"
      let of: StatementArguments = ["entry": entry.rawValue, "device": device.rawValue]
      if let duration = description.duration {
        try db.execute(
          sql: """
            UPDATE media_item SET duration_s = coalesce(duration_s, :duration)
            WHERE id = \(media) AND coalesce(content_type, '') NOT GLOB 'image/*'
            """, arguments: of + ["duration": duration.seconds])
      }
      guard description.title != nil || description.picture != nil else { return }
      try db.execute(
        sql: """
          INSERT INTO media_metadata (media_item_id, kind, title) SELECT id, 0, :title FROM media_item WHERE id = \(media)
          ON CONFLICT (media_item_id) DO UPDATE SET title = coalesce(title, excluded.title)
          """, arguments: of + ["title": description.title])
      guard let picture = description.picture else { return }
      try db.execute(
        sql: """
          INSERT INTO media_image (media_item_id, ordinal, url) SELECT id, 0, :picture FROM media_item
          WHERE id = \(media) AND NOT EXISTS (SELECT 1 FROM media_image i WHERE i.media_item_id = media_item.id)
          """, arguments: of + ["picture": picture])
    }
  }
}
