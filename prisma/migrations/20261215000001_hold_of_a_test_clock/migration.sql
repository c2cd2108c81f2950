ALTER TABLE "test_clock" ADD COLUMN "held_by" UUID, ADD COLUMN "held_until" TIMESTAMPTZ(3);
