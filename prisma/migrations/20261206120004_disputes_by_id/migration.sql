CREATE INDEX CONCURRENTLY IF NOT EXISTS "dispute_organization_id_mode_id_idx" ON "dispute"("organization_id", "mode", "id");
