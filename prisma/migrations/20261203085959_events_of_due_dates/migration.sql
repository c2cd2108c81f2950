ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'payment_overdue' BEFORE 'payment_expired';
ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'payment_updated' BEFORE 'payment_completed';
