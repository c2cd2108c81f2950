DROP INDEX CONCURRENTLY IF EXISTS "psp_notification_credential_id_id_idx";
