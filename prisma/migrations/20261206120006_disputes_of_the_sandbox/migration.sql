ALTER TABLE "sandbox_dispute" ADD COLUMN "defence_until" TIMESTAMPTZ(3),
ADD COLUMN "after_defence" "DisputeState";
