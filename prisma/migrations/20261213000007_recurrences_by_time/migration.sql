CREATE INDEX CONCURRENTLY IF NOT EXISTS "recurrence_by_time_idx" ON "recurrence" ((coalesce("next_check_at", 'infinity')), "credential_id")
  WHERE next_check_at IS NOT NULL AND credential_id IS NOT NULL;
