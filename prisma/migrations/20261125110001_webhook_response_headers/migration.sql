ALTER TABLE "webhook_attempt" ADD COLUMN IF NOT EXISTS "response_headers" JSONB;
