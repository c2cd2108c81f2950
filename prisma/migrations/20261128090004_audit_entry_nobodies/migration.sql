CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_nobody_idx" ON "audit_entry"("organization_id", "actor", "id") WHERE ((user_id IS NULL) AND (api_key_id IS NULL));
