-- Since version 14. What a list says of itself.
ALTER TABLE queue ADD COLUMN foreign_fields TEXT CHECK (foreign_fields GLOB '{*}');
