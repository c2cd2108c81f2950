CREATE INDEX CONCURRENTLY IF NOT EXISTS "recurrence_status_idx" ON "recurrence"("organization_id", "mode", "status", "id");
