CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_api_key_idx" ON "audit_entry"("organization_id", "api_key_id", "id") WHERE (api_key_id IS NOT NULL);
