import type { PersonForgetter } from '../core/privacy/forget-person.ts';
import type { Worker } from './loop.ts';

/** Replaces the data of people whom an owner has asked to forget. */
export const forgetPeople = ({ runDue }: Pick<PersonForgetter, 'runDue'>): Worker => ({ runOnce: runDue });
