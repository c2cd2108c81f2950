ALTER TABLE "book_difference" ADD COLUMN IF NOT EXISTS "mode" "Mode" NOT NULL DEFAULT 'live';
