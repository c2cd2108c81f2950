ALTER TABLE "psp_notification" ADD COLUMN IF NOT EXISTS "traceparent" TEXT;
