CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_due_idx" ON "payment"("credential_id", "next_check_at") WHERE (status = 'pending'::"PaymentStatus");
