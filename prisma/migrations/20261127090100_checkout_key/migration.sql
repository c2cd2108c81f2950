CREATE TABLE "checkout_key" (
    "id" UUID NOT NULL,
    "sealed_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "checkout_key_pkey" PRIMARY KEY ("id")
);
