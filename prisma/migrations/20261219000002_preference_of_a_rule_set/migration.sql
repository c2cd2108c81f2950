ALTER TABLE "rule_set" ADD COLUMN "prefer" TEXT;
