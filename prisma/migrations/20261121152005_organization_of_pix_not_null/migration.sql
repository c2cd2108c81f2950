-- The validated constraint spares reading the table.
ALTER TABLE "received_pix" ALTER COLUMN "organization_id" SET NOT NULL;

ALTER TABLE "received_pix" DROP CONSTRAINT "received_pix_has_an_organization";
