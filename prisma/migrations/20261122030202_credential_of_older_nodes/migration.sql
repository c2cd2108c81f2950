-- For nodes of 0.9, whose refunds a newer node may have to take up.
CREATE OR REPLACE FUNCTION "complete_refund_of_older_node"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.credential_id := (SELECT a.credential_id FROM payment_attempt a WHERE a.id = NEW.attempt_id);
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "refund_credential_of_older_node" BEFORE INSERT ON "refund" FOR EACH ROW
WHEN (NEW.credential_id IS NULL)
EXECUTE FUNCTION "complete_refund_of_older_node"();
