ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'payment_scheduled' BEFORE 'payment_completed';
ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'payment_debit_failed' BEFORE 'payment_completed';
ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'recurrence_activated' BEFORE 'ops_alert_opened';
ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'recurrence_rejected' BEFORE 'ops_alert_opened';
ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'recurrence_cancelled' BEFORE 'ops_alert_opened';
ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'recurrence_expired' BEFORE 'ops_alert_opened';
