CREATE INDEX CONCURRENTLY IF NOT EXISTS "dispute_due_idx" ON "dispute"("credential_id", "next_check_at") WHERE (next_check_at IS NOT NULL);
