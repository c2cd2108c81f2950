CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_unchained_idx" ON "audit_entry"("id") WHERE (sequence IS NULL);
