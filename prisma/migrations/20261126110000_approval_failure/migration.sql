ALTER TABLE "approval_request" ADD COLUMN     "failure" JSONB;
