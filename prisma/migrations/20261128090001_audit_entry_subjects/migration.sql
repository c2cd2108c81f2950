CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_subject_idx" ON "audit_entry"("organization_id", "subject", "id") WHERE (subject IS NOT NULL);
