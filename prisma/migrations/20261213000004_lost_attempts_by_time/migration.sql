CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_attempt_by_time_idx" ON "payment_attempt" ((coalesce("next_check_at", 'infinity')), "credential_id")
  WHERE outcome = 'unknown' AND credential_id IS NOT NULL;
