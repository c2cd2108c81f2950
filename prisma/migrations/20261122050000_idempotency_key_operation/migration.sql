-- AlterTable
ALTER TABLE "idempotency_key" ADD COLUMN     "operation" TEXT;
