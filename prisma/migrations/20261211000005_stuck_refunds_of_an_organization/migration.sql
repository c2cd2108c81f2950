CREATE INDEX CONCURRENTLY IF NOT EXISTS "refund_stuck_of_organization_idx" ON "refund"("organization_id", "mode", "id") WHERE ((status = 'pending'::"RefundStatus") AND (pending_reason IS NOT NULL));
