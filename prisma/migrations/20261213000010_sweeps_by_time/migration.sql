CREATE INDEX CONCURRENTLY IF NOT EXISTS "psp_sweep_by_time_idx" ON "psp_sweep" ((coalesce("next_check_at", 'infinity')), "credential_id")
  WHERE next_check_at IS NOT NULL;
