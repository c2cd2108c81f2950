CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_unpaid_idx" ON "payment"("credential_id", "created_at") WHERE ((status = 'pending'::"PaymentStatus") AND (credential_id IS NOT NULL));
