CREATE INDEX CONCURRENTLY IF NOT EXISTS "refund_status_idx" ON "refund"("organization_id", "mode", "status", "id");
