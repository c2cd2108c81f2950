CREATE INDEX CONCURRENTLY IF NOT EXISTS "listed_charge_by_time_idx" ON "listed_charge" ((coalesce("next_check_at", 'infinity')), "credential_id");
