ALTER TABLE "webhook_endpoint" ADD COLUMN IF NOT EXISTS "deleted_at" TIMESTAMPTZ(3);
