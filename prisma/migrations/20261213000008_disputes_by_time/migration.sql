CREATE INDEX CONCURRENTLY IF NOT EXISTS "dispute_by_time_idx" ON "dispute" ((coalesce("next_check_at", 'infinity')), "credential_id")
  WHERE next_check_at IS NOT NULL AND credential_id IS NOT NULL;
