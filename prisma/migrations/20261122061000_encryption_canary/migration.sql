-- CreateTable
CREATE TABLE "encryption_canary" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "encryption_canary_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "encryption_canary_is_one" CHECK ("id" = 1)
);
