-- For nodes of 0.9, which know no organization of a Pix.
CREATE OR REPLACE FUNCTION "complete_sandbox_pix_of_older_node"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.organization_id := (
        SELECT p.organization_id FROM payment_attempt a JOIN payment p ON p.id = a.payment_id
        WHERE a.id = NEW.transaction_id::uuid);
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "sandbox_pix_of_older_node" BEFORE INSERT ON "sandbox_pix" FOR EACH ROW
WHEN (NEW.organization_id IS NULL)
EXECUTE FUNCTION "complete_sandbox_pix_of_older_node"();
