CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_link_payment_payment_id_idx" ON "payment_link_payment"("payment_id");
