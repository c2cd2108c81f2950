-- Disputes that ended before are looked at when their defence is to be deleted. In parts that are committed one by one; may be run again.
DO $$
DECLARE
    changed INT;
BEGIN
    LOOP
        UPDATE dispute SET next_check_at = closed_at + interval '90 days'
        WHERE id IN (SELECT id FROM dispute
            WHERE closed_at IS NOT NULL AND answer = 'defence' AND sealed_statement IS NOT NULL AND next_check_at IS NULL
            LIMIT 1000);
        GET DIAGNOSTICS changed = ROW_COUNT;
        COMMIT;
        EXIT WHEN changed = 0;
    END LOOP;
END $$;
