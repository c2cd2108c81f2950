CREATE INDEX CONCURRENTLY IF NOT EXISTS "dispute_test_due_idx" ON "dispute"("organization_id", "next_check_at") WHERE mode = 'test' AND next_check_at IS NOT NULL;
