CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_failed_create_idx" ON "payment"("id") WHERE ((status = 'failed'::"PaymentStatus") AND (recurrence_id IS NULL));
