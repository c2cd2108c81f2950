-- It holds live ones alone: money that comes for an ended one completes it, whatever else its cycle has.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "payment_debit_in_cycle_idx" ON "payment"("recurrence_id", "debit_cycle") WHERE ((recurrence_id IS NOT NULL) AND (status = ANY (ARRAY['creating'::"PaymentStatus", 'pending'::"PaymentStatus"])));
