-- Without a list of pending entries, which every search would read too.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_views_of_several_idx" ON "audit_entry" USING GIN ("details" jsonb_path_ops) WITH (fastupdate = off) WHERE ((action = 'payer.view'::text) AND (subject IS NULL));
