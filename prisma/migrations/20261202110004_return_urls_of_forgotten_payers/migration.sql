-- They may carry a customer's id. In parts that are committed one by one; may be run again.
DO $$
DECLARE
    person RECORD;
BEGIN
    FOR person IN SELECT organization_id, pseudonym FROM forgotten_person LOOP
        UPDATE payment SET return_url = NULL
        WHERE organization_id = person.organization_id AND mode IN ('live', 'test')
            AND payer_document = person.pseudonym AND return_url IS NOT NULL;
        COMMIT;
    END LOOP;
END $$;
