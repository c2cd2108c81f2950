ALTER TABLE "received_pix" VALIDATE CONSTRAINT "received_pix_has_an_organization";
