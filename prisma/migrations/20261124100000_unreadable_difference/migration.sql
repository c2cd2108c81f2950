ALTER TYPE "DifferenceKind" ADD VALUE IF NOT EXISTS 'unreadable';
