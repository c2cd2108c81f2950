-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "allowed_ips" TEXT[] DEFAULT ARRAY[]::TEXT[];
