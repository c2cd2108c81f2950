-- What is due, of all credentials together. An expression, as in the index of webhook deliveries by time, so that the planner uses it
-- for nothing else.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_check_by_time_idx" ON "payment_check" ((coalesce("next_check_at", 'infinity')), "credential_id")
  WHERE credential_id IS NOT NULL;
