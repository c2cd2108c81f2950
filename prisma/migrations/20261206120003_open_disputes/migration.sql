CREATE INDEX CONCURRENTLY IF NOT EXISTS "dispute_open_idx" ON "dispute"("organization_id", "mode", "defence_until", "id") WHERE (state = 'open'::"DisputeState");
