CREATE INDEX CONCURRENTLY IF NOT EXISTS "refund_due_idx" ON "refund"("credential_id", "next_check_at") WHERE (status = 'pending'::"RefundStatus");
