-- CreateTable
CREATE TABLE "invitation" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "role" "Role" NOT NULL,
    "token_sha256" TEXT NOT NULL,
    "invited_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "password_link" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "password_link_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "invitation_token_sha256_key" ON "invitation"("token_sha256");

-- CreateIndex
CREATE INDEX "invitation_organization_id_id_idx" ON "invitation"("organization_id", "id") WHERE (accepted_at IS NULL AND revoked_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "password_link_token_sha256_key" ON "password_link"("token_sha256");

-- CreateIndex
CREATE INDEX "password_link_user_id_idx" ON "password_link"("user_id");

-- AddForeignKey
ALTER TABLE "password_link" ADD CONSTRAINT "password_link_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
