CREATE INDEX CONCURRENTLY IF NOT EXISTS "sandbox_pix_organization_id_paid_at_end_to_end_id_idx" ON "sandbox_pix"("organization_id", "paid_at", "end_to_end_id");
