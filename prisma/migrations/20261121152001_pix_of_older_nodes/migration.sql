-- For nodes of 0.9, which know no organization of a Pix. At these providers the charge stands for its Pix.
CREATE OR REPLACE FUNCTION "complete_pix_of_older_node"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
    charge RECORD;
BEGIN
    SELECT p.organization_id, upper(a.provider) || replace(a.id::text, '-', '') AS id,
        p.mode = 'live' AND a.provider IN ('woovi', 'pagarme') AS is_its_pix
    INTO charge
    FROM payment p JOIN payment_attempt a ON a.payment_id = p.id WHERE p.id = NEW.payment_id AND a.id = NEW.attempt_id;
    NEW.organization_id := charge.organization_id;
    IF charge.is_its_pix AND NOT EXISTS (
        SELECT FROM received_pix x WHERE x.payment_id = NEW.payment_id AND x.end_to_end_id = NEW.end_to_end_id)
    THEN
        NEW.end_to_end_id := charge.id;
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "received_pix_of_older_node" BEFORE INSERT ON "received_pix" FOR EACH ROW
WHEN (NEW.organization_id IS NULL)
EXECUTE FUNCTION "complete_pix_of_older_node"();
