CREATE TABLE "receipt_hour" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "credential_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "pix_count" INTEGER NOT NULL,
    "received_in_cents" BIGINT NOT NULL,
    "returned_in_cents" BIGINT NOT NULL,
    "reversed_in_cents" BIGINT NOT NULL,

    CONSTRAINT "receipt_hour_pkey" PRIMARY KEY ("organization_id","mode","hour","credential_id","provider")
);

CREATE TABLE "receipt_change" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "credential_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "pix_count" INTEGER NOT NULL,
    "received_in_cents" BIGINT NOT NULL,
    "returned_in_cents" BIGINT NOT NULL,
    "reversed_in_cents" BIGINT NOT NULL,

    CONSTRAINT "receipt_change_pkey" PRIMARY KEY ("organization_id","mode","hour","id")
);

CREATE TABLE "receipt_backfill" (
    "organization_id" UUID NOT NULL,
    "before" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receipt_backfill_pkey" PRIMARY KEY ("organization_id")
);

CREATE FUNCTION "note_receipt_change"("of_organization" UUID, "of_pix" TEXT, "count" INTEGER, "received" BIGINT,
    "returned" BIGINT, "reversed" BIGINT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO receipt_change (organization_id, mode, hour, credential_id, provider, pix_count, received_in_cents,
        returned_in_cents, reversed_in_cents)
    SELECT x.organization_id, p.mode, date_trunc('hour', x.paid_at, 'UTC'),
        coalesce(a.credential_id, '00000000-0000-0000-0000-000000000000'), a.provider, count, received, returned, reversed
    FROM received_pix x
    JOIN payment p ON p.id = x.payment_id
    JOIN payment_attempt a ON a.id = x.attempt_id
    WHERE x.organization_id = of_organization AND x.end_to_end_id = of_pix
$$;

CREATE FUNCTION "note_receipt"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM note_receipt_change(NEW.organization_id, NEW.end_to_end_id, 1, NEW.amount_in_cents, NEW.returned_in_cents, 0);
    ELSE
        PERFORM note_receipt_change(NEW.organization_id, NEW.end_to_end_id, 0, 0,
            NEW.returned_in_cents - OLD.returned_in_cents, 0);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION "note_refund_of_receipt"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    PERFORM note_receipt_change((SELECT organization_id FROM payment WHERE id = NEW.payment_id), NEW.end_to_end_id, 0, 0,
        CASE WHEN NEW.status = 'completed' THEN NEW.amount_in_cents ELSE -NEW.amount_in_cents END, 0);
    RETURN NULL;
END $$;

CREATE FUNCTION "note_reversal_of_receipt"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    difference BIGINT := CASE WHEN NEW.status = 'completed' AND NEW.reason <> 'returned_at_psp'
        THEN NEW.amount_in_cents ELSE 0 END;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.status = 'completed' AND OLD.reason <> 'returned_at_psp' THEN
        difference := difference - OLD.amount_in_cents;
    END IF;
    IF difference <> 0 THEN
        PERFORM note_receipt_change(NEW.organization_id, NEW.end_to_end_id, 0, 0, 0, difference);
    END IF;
    RETURN NULL;
END $$;
