CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_pending_idx" ON "payment"("credential_id", "created_at") WHERE status = 'pending'::"PaymentStatus";
