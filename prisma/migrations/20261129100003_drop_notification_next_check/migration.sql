DROP INDEX CONCURRENTLY IF EXISTS "psp_notification_next_check_at_idx";
