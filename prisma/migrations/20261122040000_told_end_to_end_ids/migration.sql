-- AlterTable
ALTER TABLE "received_pix" ADD COLUMN     "told_end_to_end_id" TEXT;
