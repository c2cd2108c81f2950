CREATE INDEX CONCURRENTLY IF NOT EXISTS "psp_notification_credential_id_id_idx" ON "psp_notification"("credential_id", "id");
