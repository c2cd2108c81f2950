-- In parts that are committed one by one; may be run again.
DO $$
DECLARE
    after UUID := '00000000-0000-0000-0000-000000000000';
    upto UUID;
BEGIN
    LOOP
        SELECT payment_id INTO upto FROM refund WHERE payment_id > after ORDER BY payment_id OFFSET 4999 LIMIT 1;
        UPDATE payment p SET refunded_in_cents = done.total
        FROM (
            SELECT r.payment_id, sum(r.amount_in_cents) AS total FROM refund r
            WHERE r.payment_id > after AND r.payment_id <= coalesce(upto, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
                AND r.status = 'completed'
            GROUP BY r.payment_id) done
        WHERE p.id = done.payment_id AND p.refunded_in_cents < done.total;
        COMMIT;
        EXIT WHEN upto IS NULL;
        after := upto;
    END LOOP;
END $$;
