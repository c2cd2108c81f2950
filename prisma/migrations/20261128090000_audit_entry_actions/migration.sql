CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entry_organization_id_action_id_idx" ON "audit_entry"("organization_id", "action", "id");
