-- In parts that are committed one by one; may be run again. At Woovi and Pagar.me the charge stands for its first Pix,
-- so that it is not taken for a second one when it is reported again.
DO $$
DECLARE
    last_page BIGINT := pg_relation_size('received_pix') / current_setting('block_size')::int;
    pages CONSTANT INTEGER := 64;
BEGIN
    FOR page IN 0..last_page BY pages LOOP
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
        WHERE r.ctid >= format('(%s,0)', page)::tid AND r.ctid < format('(%s,0)', page + pages)::tid
            AND r.organization_id IS NULL AND p.id = r.payment_id;
        COMMIT;
    END LOOP;
END $$;
