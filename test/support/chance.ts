import { test } from '@jest/globals';

export const isLong = Boolean(process.env['LONG']);

/** How often chance is tried: more in `npm run test:long`. */
export const times = (usual: number, long: number): number => (isLong ? long : usual);

/** All of several like cases in `npm run test:long`; otherwise those that stand for the others. */
export const standingFor = <Case>(all: readonly Case[], isUsual: (each: Case) => boolean): Case[] =>
  all.filter((each) => isLong || isUsual(each));

/** A bound on time: as promised in `npm run test:long`, wider where other tests run on the same cores. */
export const boundMs = (promisedMs: number): number => (isLong ? promisedMs : promisedMs * 5);

/** A test of a detail that costs seconds: only `npm run test:long` runs it. */
export const longTest = isLong ? test : test.skip;
