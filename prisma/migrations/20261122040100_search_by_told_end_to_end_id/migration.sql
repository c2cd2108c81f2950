CREATE INDEX CONCURRENTLY IF NOT EXISTS "received_pix_organization_id_told_end_to_end_id_idx" ON "received_pix"("organization_id", "told_end_to_end_id") WHERE (told_end_to_end_id IS NOT NULL);
