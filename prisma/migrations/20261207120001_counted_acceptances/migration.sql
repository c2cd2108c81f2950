ALTER TABLE "dispute" ADD COLUMN "counted_for" UUID, ADD COLUMN "counted_on" DATE;
