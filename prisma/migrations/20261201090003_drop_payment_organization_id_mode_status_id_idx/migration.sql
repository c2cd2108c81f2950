DROP INDEX CONCURRENTLY IF EXISTS "payment_organization_id_mode_status_id_idx";
