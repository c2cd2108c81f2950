CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_late_idx" ON "payment"("credential_id", "next_check_at") WHERE ((status = 'expired'::"PaymentStatus") AND (next_check_at IS NOT NULL));
