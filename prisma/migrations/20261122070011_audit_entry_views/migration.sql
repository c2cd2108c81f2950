CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_views_idx" ON "audit_entry"("organization_id", "id") WHERE (action = ANY (ARRAY['payer.view'::text, 'payment.export'::text]));
