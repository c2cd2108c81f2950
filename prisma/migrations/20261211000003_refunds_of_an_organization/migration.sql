CREATE INDEX CONCURRENTLY IF NOT EXISTS "refund_organization_id_mode_id_idx" ON "refund"("organization_id", "mode", "id");
