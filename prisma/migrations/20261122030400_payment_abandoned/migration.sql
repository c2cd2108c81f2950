CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_abandoned_idx" ON "payment"("next_check_at") WHERE (status = 'creating'::"PaymentStatus");
