CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "received_pix_pkey" ON "received_pix"("organization_id", "end_to_end_id");
