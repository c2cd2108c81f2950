ALTER TABLE "received_pix" ADD COLUMN "organization_id" UUID;

-- The name is for the key with the organization. Until that is there, this one keeps Pix apart.
ALTER TABLE "received_pix" RENAME CONSTRAINT "received_pix_pkey" TO "received_pix_end_to_end_id_pkey";
