CREATE INDEX CONCURRENTLY IF NOT EXISTS "refund_stuck_idx" ON "refund"("credential_id", "id") WHERE ((status = 'pending'::"RefundStatus") AND (pending_reason IS NOT NULL));
