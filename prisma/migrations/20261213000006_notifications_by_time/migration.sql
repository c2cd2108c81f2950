CREATE INDEX CONCURRENTLY IF NOT EXISTS "psp_notification_by_time_idx" ON "psp_notification" ((coalesce("next_check_at", 'infinity')), "credential_id")
  WHERE processed_at IS NULL AND credential_id IS NOT NULL;
