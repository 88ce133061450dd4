-- Since version 13. What a decision has passed over.
ALTER TABLE decision ADD COLUMN passed_over TEXT NOT NULL DEFAULT '[]' CHECK (passed_over GLOB '[[]*]');
