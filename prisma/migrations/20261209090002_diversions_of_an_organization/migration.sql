CREATE INDEX CONCURRENTLY IF NOT EXISTS "credential_diverted_idx" ON "credential"("organization_id") WHERE (diverted_to_id IS NOT NULL);
