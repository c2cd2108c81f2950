ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'unmatched_pix_received' BEFORE 'ops_alert_opened';
