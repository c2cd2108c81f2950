CREATE TABLE "saved_view" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("organization_id","user_id","name")
);

ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "member"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
