CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_ended_by_time_idx" ON "payment" ((coalesce("next_check_at", 'infinity')), "credential_id")
  WHERE status IN ('expired', 'cancelled') AND next_check_at IS NOT NULL AND credential_id IS NOT NULL;
