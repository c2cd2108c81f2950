CREATE INDEX CONCURRENTLY IF NOT EXISTS "statement_day_open_idx" ON "statement_day"("organization_id", "day") WHERE (difference_count > 0);
