-- AlterEnum
ALTER TYPE "EventType" ADD VALUE 'refund_completed';
ALTER TYPE "EventType" ADD VALUE 'refund_failed';

-- AlterTable
ALTER TABLE "event" ADD COLUMN     "refund_id" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';

-- AlterTable
ALTER TABLE "refund" ADD COLUMN     "failure_reason" TEXT;
