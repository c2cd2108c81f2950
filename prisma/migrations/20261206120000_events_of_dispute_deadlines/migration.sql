ALTER TYPE "EventType" ADD VALUE IF NOT EXISTS 'payment_dispute_deadline' BEFORE 'payment_dispute_closed';
