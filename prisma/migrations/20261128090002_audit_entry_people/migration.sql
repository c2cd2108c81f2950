CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_user_idx" ON "audit_entry"("organization_id", "user_id", "id") WHERE (user_id IS NOT NULL);
