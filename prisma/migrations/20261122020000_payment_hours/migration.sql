-- CreateTable
CREATE TABLE "payment_hour" (
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "created" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "completed" INTEGER NOT NULL,
    "volume_in_cents" BIGINT NOT NULL,
    "refunded_in_cents" BIGINT NOT NULL,
    "pay_steps" INTEGER[],
    "pay_counts" INTEGER[],

    CONSTRAINT "payment_hour_pkey" PRIMARY KEY ("organization_id","mode","hour")
);

-- CreateTable
CREATE TABLE "payment_hour_change" (
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "mode" "Mode" NOT NULL,
    "created" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "completed" INTEGER NOT NULL,
    "volume_in_cents" BIGINT NOT NULL,
    "refunded_in_cents" BIGINT NOT NULL,
    "pay_step" INTEGER,

    CONSTRAINT "payment_hour_change_pkey" PRIMARY KEY ("minute","id")
);

-- CreateIndex
CREATE INDEX "payment_hour_change_organization_id_mode_minute_idx" ON "payment_hour_change"("organization_id", "mode", "minute");

-- CreateTable
CREATE TABLE "payment_roll_up" (
    "id" INTEGER NOT NULL,
    "before" TIMESTAMPTZ(3),
    "before_id" UUID,

    CONSTRAINT "payment_roll_up_pkey" PRIMARY KEY ("id")
);

INSERT INTO "payment_roll_up" ("id") VALUES (1);

-- Eighths of an octave above one second, and 0 for whatever is shorter.
CREATE FUNCTION "payment_pay_step"("created_at" TIMESTAMPTZ, "confirmed_at" TIMESTAMPTZ) RETURNS INTEGER
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN floor(8 * ln(greatest(extract(epoch FROM "confirmed_at" - "created_at")::float8, 1)) / ln(2::float8))::int;

-- A trigger, so that whatever changes a payment is counted: an older build beside this one too.
CREATE FUNCTION "note_payment_hour_change"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    is_payable BOOLEAN;
    is_paid BOOLEAN;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.status <> 'creating' THEN
        is_payable := OLD.status <> 'failed';
        is_paid := is_payable AND OLD.confirmed_at IS NOT NULL;
        INSERT INTO payment_hour_change (minute, organization_id, mode, created, failed, completed, volume_in_cents,
            refunded_in_cents, pay_step)
        VALUES (date_trunc('minute', OLD.created_at), OLD.organization_id, OLD.mode, -is_payable::int,
            -(NOT is_payable)::int, -is_paid::int, -is_paid::int * OLD.amount_in_cents,
            -is_payable::int * OLD.refunded_in_cents,
            CASE WHEN is_paid THEN payment_pay_step(OLD.created_at, OLD.confirmed_at) END);
    END IF;
    IF NEW.status <> 'creating' THEN
        is_payable := NEW.status <> 'failed';
        is_paid := is_payable AND NEW.confirmed_at IS NOT NULL;
        INSERT INTO payment_hour_change (minute, organization_id, mode, created, failed, completed, volume_in_cents,
            refunded_in_cents, pay_step)
        VALUES (date_trunc('minute', NEW.created_at), NEW.organization_id, NEW.mode, is_payable::int,
            (NOT is_payable)::int, is_paid::int, is_paid::int * NEW.amount_in_cents,
            is_payable::int * NEW.refunded_in_cents,
            CASE WHEN is_paid THEN payment_pay_step(NEW.created_at, NEW.confirmed_at) END);
    END IF;
    RETURN NULL;
END $$;

-- Payments that are younger are added up no earlier than four minutes after their creation, as they are then.
CREATE TRIGGER "payment_hour_change" AFTER UPDATE ON "payment" FOR EACH ROW
WHEN (OLD.created_at < clock_timestamp() - INTERVAL '2 minutes'
    AND (OLD.confirmed_at IS DISTINCT FROM NEW.confirmed_at
        OR OLD.refunded_in_cents <> NEW.refunded_in_cents
        OR (OLD.status <> NEW.status
            AND (OLD.status IN ('creating', 'failed') OR NEW.status IN ('creating', 'failed')))))
EXECUTE FUNCTION "note_payment_hour_change"();

CREATE TRIGGER "payment_hour_insert" AFTER INSERT ON "payment" FOR EACH ROW
WHEN (NEW.status <> 'creating' AND NEW.created_at < clock_timestamp() - INTERVAL '2 minutes')
EXECUTE FUNCTION "note_payment_hour_change"();
