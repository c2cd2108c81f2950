ALTER TABLE "refund" ADD COLUMN "organization_id" UUID,
ADD COLUMN "mode" "Mode";

-- A trigger for older nodes, which write neither.
CREATE FUNCTION "set_tenant_of_refund"() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    SELECT organization_id, mode INTO NEW.organization_id, NEW.mode FROM payment WHERE id = NEW.payment_id;
    RETURN NEW;
END $$;

CREATE TRIGGER "refund_tenant" BEFORE INSERT ON "refund" FOR EACH ROW WHEN (NEW.organization_id IS NULL)
EXECUTE FUNCTION "set_tenant_of_refund"();
