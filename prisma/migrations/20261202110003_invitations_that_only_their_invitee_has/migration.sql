-- Nodes of 1.1 showed the link to the member who invites, and leave it false.
ALTER TABLE "invitation" ADD COLUMN "proves_email" BOOLEAN NOT NULL DEFAULT false;
