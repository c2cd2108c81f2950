-- As in 1.0.0, but the volume is what was paid.
CREATE OR REPLACE FUNCTION note_payment_hour_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    is_payable BOOLEAN;
    is_paid BOOLEAN;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.status <> 'creating' THEN
        is_payable := OLD.status <> 'failed';
        is_paid := is_payable AND OLD.confirmed_at IS NOT NULL;
        INSERT INTO payment_hour_change (minute, organization_id, mode, created, failed, completed, volume_in_cents,
            refunded_in_cents, reversed_in_cents, pay_step)
        VALUES (date_trunc('minute', OLD.created_at), OLD.organization_id, OLD.mode, -is_payable::int,
            -(NOT is_payable)::int, -is_paid::int, -is_paid::int * coalesce(OLD.paid_in_cents, OLD.amount_in_cents),
            -is_payable::int * OLD.refunded_in_cents, -is_payable::int * OLD.reversed_in_cents,
            CASE WHEN is_paid THEN payment_pay_step(OLD.created_at, OLD.confirmed_at) END);
    END IF;
    IF NEW.status <> 'creating' THEN
        is_payable := NEW.status <> 'failed';
        is_paid := is_payable AND NEW.confirmed_at IS NOT NULL;
        INSERT INTO payment_hour_change (minute, organization_id, mode, created, failed, completed, volume_in_cents,
            refunded_in_cents, reversed_in_cents, pay_step)
        VALUES (date_trunc('minute', NEW.created_at), NEW.organization_id, NEW.mode, is_payable::int,
            (NOT is_payable)::int, is_paid::int, is_paid::int * coalesce(NEW.paid_in_cents, NEW.amount_in_cents),
            is_payable::int * NEW.refunded_in_cents, is_payable::int * NEW.reversed_in_cents,
            CASE WHEN is_paid THEN payment_pay_step(NEW.created_at, NEW.confirmed_at) END);
    END IF;
    RETURN NULL;
END $$;
