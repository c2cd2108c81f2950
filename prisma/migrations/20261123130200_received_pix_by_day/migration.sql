CREATE INDEX CONCURRENTLY IF NOT EXISTS "received_pix_organization_id_paid_at_idx" ON "received_pix"("organization_id", "paid_at");
