-- In parts that are committed one by one; may be run again.
DO $$
DECLARE
    after UUID := '00000000-0000-0000-0000-000000000000';
    upto UUID;
BEGIN
    LOOP
        SELECT id INTO upto FROM refund WHERE id > after ORDER BY id OFFSET 4999 LIMIT 1;
        UPDATE refund r SET organization_id = p.organization_id, mode = p.mode FROM payment p
        WHERE r.id > after AND r.id <= coalesce(upto, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            AND r.organization_id IS NULL AND p.id = r.payment_id;
        COMMIT;
        EXIT WHEN upto IS NULL;
        after := upto;
    END LOOP;
END $$;
