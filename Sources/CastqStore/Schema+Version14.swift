extension Schema {
  /// What lists say of themselves is the queue's; until then their first entries carried it.
  static let version14 = """
    ALTER TABLE queue ADD COLUMN foreign_fields TEXT CHECK (foreign_fields GLOB '{*}');
    UPDATE queue SET foreign_fields = json_object(
        'attributes', json_array(), 'lines', json_array(),
        'list', (SELECT json_group_array(json(value)) FROM (
          SELECT a.value AS value FROM queue_entry e,
            json_each(CASE WHEN json_valid(e.foreign_fields) THEN e.foreign_fields ELSE '{}' END, '$.list') a
          WHERE e.queue_id = queue.id AND e.role = 'main' AND e.state <> 'cancelled' AND a.type = 'array'
          ORDER BY e.position, a.key LIMIT 32)),
        'notes', (SELECT json_group_array(json(value)) FROM (
          SELECT a.value AS value FROM queue_entry e,
            json_each(CASE WHEN json_valid(e.foreign_fields) THEN e.foreign_fields ELSE '{}' END, '$.notes') a
          WHERE e.queue_id = queue.id AND e.role = 'main' AND e.state <> 'cancelled' AND a.type = 'object' AND a.value ->> 'list'
          ORDER BY e.position, a.key LIMIT 32)));
    UPDATE queue SET foreign_fields = NULL WHERE foreign_fields ->> 'list' = '[]' AND foreign_fields ->> 'notes' = '[]';
    """
}
