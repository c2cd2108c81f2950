CREATE INDEX CONCURRENTLY IF NOT EXISTS "dispute_sweep_by_time_idx" ON "dispute_sweep" ((coalesce("next_check_at", 'infinity')), "credential_id");
