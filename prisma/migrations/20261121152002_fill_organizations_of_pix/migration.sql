-- In parts that are committed one by one; may be run again. By key, as rows that are updated meanwhile change their place.
-- At Woovi and Pagar.me the charge stands for its first Pix, so that it is not taken for a second one when it is
-- reported again.
DO $$
DECLARE
    after UUID := '00000000-0000-0000-0000-000000000000';
    upto UUID;
BEGIN
    LOOP
        SELECT payment_id INTO upto FROM received_pix WHERE payment_id > after ORDER BY payment_id OFFSET 4999 LIMIT 1;
        UPDATE received_pix r SET organization_id = p.organization_id, end_to_end_id = coalesce((
            SELECT upper(a.provider) || replace(a.id::text, '-', '') FROM payment_attempt a
            WHERE p.mode = 'live' AND a.id = r.attempt_id AND a.provider IN ('woovi', 'pagarme')
                AND r.end_to_end_id = (
                    SELECT s.end_to_end_id FROM received_pix s
                    WHERE s.payment_id = r.payment_id AND s.attempt_id = r.attempt_id
                    ORDER BY s.created_at, s.end_to_end_id LIMIT 1)
                AND NOT EXISTS (
                    SELECT FROM received_pix s WHERE s.payment_id = r.payment_id
                        AND s.end_to_end_id = upper(a.provider) || replace(a.id::text, '-', ''))), r.end_to_end_id)
        FROM payment p
        WHERE r.payment_id > after AND r.payment_id <= coalesce(upto, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            AND r.organization_id IS NULL AND p.id = r.payment_id;
        COMMIT;
        EXIT WHEN upto IS NULL;
        after := upto;
    END LOOP;
END $$;
