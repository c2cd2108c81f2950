CREATE INDEX CONCURRENTLY IF NOT EXISTS "dispute_stated_idx" ON "dispute"("closed_at") WHERE (sealed_statement IS NOT NULL);
