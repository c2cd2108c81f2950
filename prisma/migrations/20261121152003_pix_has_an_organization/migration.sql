ALTER TABLE "received_pix" DROP CONSTRAINT IF EXISTS "received_pix_has_an_organization",
ADD CONSTRAINT "received_pix_has_an_organization" CHECK ("organization_id" IS NOT NULL) NOT VALID;
