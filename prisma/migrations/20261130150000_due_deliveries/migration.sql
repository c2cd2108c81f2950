-- By time alone. An expression, so that the planner uses it for nothing else: waiting rows are few whenever it counts them, and
-- to it indexes of few rows are all alike.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_delivery_due_idx" ON "webhook_delivery" ((coalesce("next_attempt_at", 'infinity')))
  WHERE (coalesce("next_attempt_at", 'infinity') < 'infinity');
