-- Also by endpoint, so that whoever reads it in parts can go on within a time that many deliveries have.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_delivery_by_time_idx" ON "webhook_delivery" ((coalesce("next_attempt_at", 'infinity')), "endpoint_id")
  WHERE coalesce("next_attempt_at", 'infinity') < 'infinity';
