ALTER TYPE "Resolution" ADD VALUE IF NOT EXISTS 'matched';
