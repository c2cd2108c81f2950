ALTER TABLE "statement_day" ADD COLUMN IF NOT EXISTS "mode" "Mode" NOT NULL DEFAULT 'live';
