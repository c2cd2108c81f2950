CREATE INDEX CONCURRENTLY IF NOT EXISTS "refund_by_time_idx" ON "refund" ((coalesce("next_check_at", 'infinity')), "credential_id")
  WHERE status = 'pending' AND credential_id IS NOT NULL;
