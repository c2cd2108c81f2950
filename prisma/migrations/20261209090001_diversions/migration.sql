-- Whose turn another credential takes first, until somebody ends that.
ALTER TABLE "credential" ADD COLUMN "diverted_to_id" UUID,
ADD COLUMN "diverted_at" TIMESTAMPTZ(3);
