CREATE INDEX CONCURRENTLY IF NOT EXISTS "psp_notification_due_idx" ON "psp_notification"("credential_id", "next_check_at") WHERE (processed_at IS NULL);
