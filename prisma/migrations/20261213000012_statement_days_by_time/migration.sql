CREATE INDEX CONCURRENTLY IF NOT EXISTS "statement_day_by_time_idx" ON "statement_day" ((coalesce("next_check_at", 'infinity')), "credential_id")
  WHERE next_check_at IS NOT NULL;
