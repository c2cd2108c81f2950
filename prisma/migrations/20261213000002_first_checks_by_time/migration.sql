CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_first_by_time_idx" ON "payment" ((coalesce("next_check_at", 'infinity')), "credential_id")
  WHERE status = 'pending' AND credential_id IS NOT NULL;
