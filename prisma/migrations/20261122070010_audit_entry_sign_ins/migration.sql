CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_sign_ins_idx" ON "audit_entry"("organization_id", "id") WHERE (action = ANY (ARRAY['session.sign_in'::text, 'session.sign_in_failed'::text]));
