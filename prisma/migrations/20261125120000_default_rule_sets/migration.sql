-- AlterTable
ALTER TABLE "organization" ADD COLUMN     "default_live_rule_set_id" UUID,
ADD COLUMN     "default_test_rule_set_id" UUID;
