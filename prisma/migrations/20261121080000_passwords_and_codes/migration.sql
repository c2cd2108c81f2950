-- AlterTable
ALTER TABLE "two_factor" ADD COLUMN     "last_used_step" INTEGER;

-- AlterTable
ALTER TABLE "user" ADD COLUMN     "must_change_password" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE INDEX "verification_expires_at_idx" ON "verification"("expires_at");
