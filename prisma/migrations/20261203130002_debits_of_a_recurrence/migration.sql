CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_recurrence_idx" ON "payment"("recurrence_id", "id") WHERE (recurrence_id IS NOT NULL);
