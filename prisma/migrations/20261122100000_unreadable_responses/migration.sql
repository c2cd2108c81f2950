-- CreateTable
CREATE TABLE "unreadable_response" (
    "id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "attempt_id" UUID,
    "payment_id" UUID,
    "http_status" INTEGER NOT NULL,
    "problem" TEXT NOT NULL,
    "sealed_body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unreadable_response_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "unreadable_response_credential_id_id_idx" ON "unreadable_response"("credential_id", "id");

-- CreateIndex
CREATE INDEX "unreadable_response_payment_id_id_idx" ON "unreadable_response"("payment_id", "id");

-- AddForeignKey
ALTER TABLE "unreadable_response" ADD CONSTRAINT "unreadable_response_credential_id_fkey" FOREIGN KEY ("credential_id") REFERENCES "credential"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
