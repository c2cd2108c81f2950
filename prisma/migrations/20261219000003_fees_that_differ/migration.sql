ALTER TYPE "DifferenceKind" ADD VALUE IF NOT EXISTS 'fee_differs';
