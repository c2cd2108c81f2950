-- CreateTable
CREATE TABLE "organization_profile" (
    "organization_id" UUID NOT NULL,
    "brand_color" TEXT,
    "time_zone" TEXT,
    "logo_id" UUID,
    "logo_type" TEXT,
    "logo" BYTEA,

    CONSTRAINT "organization_profile_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "organization_profile_logo_id_key" ON "organization_profile"("logo_id");

-- AddForeignKey
ALTER TABLE "organization_profile" ADD CONSTRAINT "organization_profile_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
