import { z } from 'zod';

export const minimumPasswordLength = 12;
export const maximumPasswordLength = 128;

/** A password chosen by the person. */
export const ownPassword = z
  .string({ error: 'is required' })
  .min(minimumPasswordLength, `must be at least ${minimumPasswordLength} characters`)
  .max(maximumPasswordLength, `must be at most ${maximumPasswordLength} characters`);
