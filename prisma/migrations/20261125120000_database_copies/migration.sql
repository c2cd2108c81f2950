CREATE TABLE "database_copy" (
    "id" UUID NOT NULL,
    "identity" TEXT NOT NULL,
    "noticed_at" TIMESTAMPTZ(3) NOT NULL,
    "lost_since" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),

    CONSTRAINT "database_copy_pkey" PRIMARY KEY ("id")
);
