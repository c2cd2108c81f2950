-- AlterTable
ALTER TABLE "received_pix" ADD COLUMN     "returned_in_cents" BIGINT NOT NULL DEFAULT 0;
