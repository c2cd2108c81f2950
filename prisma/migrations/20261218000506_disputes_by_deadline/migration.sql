CREATE INDEX CONCURRENTLY IF NOT EXISTS "dispute_unanswered_idx" ON "dispute"("defence_until") WHERE ((state = 'open'::"DisputeState") AND (answer IS NULL));
