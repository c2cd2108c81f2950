-- In parts that are committed one by one; may be run again. The constraint would refuse any change of these rows.
DO $$
DECLARE
    after UUID := '00000000-0000-0000-0000-000000000000';
    upto UUID;
BEGIN
    LOOP
        SELECT id INTO upto FROM payment WHERE id > after ORDER BY id OFFSET 4999 LIMIT 1;
        UPDATE payment SET
            refunded_in_cents = least(refunded_in_cents, amount_in_cents),
            reversed_in_cents = least(reversed_in_cents, refunded_in_cents, amount_in_cents)
        WHERE id > after AND id <= coalesce(upto, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            AND (refunded_in_cents > amount_in_cents OR reversed_in_cents > refunded_in_cents);
        COMMIT;
        EXIT WHEN upto IS NULL;
        after := upto;
    END LOOP;
END $$;
