CREATE INDEX CONCURRENTLY IF NOT EXISTS "psp_notification_of_credential_idx" ON "psp_notification"("credential_id", "id") WHERE (credential_id IS NOT NULL);
