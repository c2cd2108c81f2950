-- AlterTable
ALTER TABLE "credential" ADD COLUMN     "certificate_checked_at" TIMESTAMPTZ(3),
ADD COLUMN     "certificate_expires_at" TIMESTAMPTZ(3);
