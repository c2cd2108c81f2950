CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_organization_id_sequence_key" ON "audit_entry"("organization_id", "sequence");
