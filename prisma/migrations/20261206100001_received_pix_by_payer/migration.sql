CREATE INDEX CONCURRENTLY IF NOT EXISTS "received_pix_payer_idx" ON "received_pix"("organization_id", "payer_document", "payment_id") WHERE (payer_document IS NOT NULL);
