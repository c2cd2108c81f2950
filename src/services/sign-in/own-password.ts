import { z } from 'zod';

export const minimumPasswordLength = 12;
const maximumPasswordLength = 128;

/** One that a person chooses. */
export const ownPassword = z
  .string({ error: 'is required' })
  .min(minimumPasswordLength, `must be at least ${minimumPasswordLength} characters`)
  .max(maximumPasswordLength, `must be at most ${maximumPasswordLength} characters`);
