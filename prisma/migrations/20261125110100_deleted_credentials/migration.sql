CREATE INDEX CONCURRENTLY IF NOT EXISTS "credential_deleted_idx" ON "credential"("deleted_at") WHERE (deleted_at IS NOT NULL);
