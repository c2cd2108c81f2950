-- Of those that a worker may still take up. In parts that are committed one by one; may be run again.
DO $$
DECLARE
    after UUID := '00000000-0000-0000-0000-000000000000';
    upto UUID;
BEGIN
    LOOP
        SELECT id INTO upto FROM refund WHERE id > after ORDER BY id OFFSET 4999 LIMIT 1;
        UPDATE refund r SET credential_id = a.credential_id
        FROM payment_attempt a
        WHERE r.id > after AND r.id <= coalesce(upto, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            AND r.status = 'pending' AND r.credential_id IS NULL AND a.id = r.attempt_id AND a.credential_id IS NOT NULL;
        COMMIT;
        EXIT WHEN upto IS NULL;
        after := upto;
    END LOOP;
END $$;
