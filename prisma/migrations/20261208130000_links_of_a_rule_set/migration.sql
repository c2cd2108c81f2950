CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_link_rule_set_id_expires_at_idx" ON "payment_link"("rule_set_id", "expires_at") WHERE rule_set_id IS NOT NULL AND deactivated_at IS NULL;
