import { expect, test } from '@jest/globals';
import { createFairSteps } from '../../../../src/core/base/pacing/fair-steps.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for a step and notes when it was taken. */
function recorder(perTurn: number) {
  const takeStep = createFairSteps(perTurn);
  const taken: string[] = [];
  return {
    taken,
    ask(holder: string): void {
      const turn = takeStep(holder);
      if (turn) void turn.then(() => taken.push(holder));
      else taken.push(holder);
    },
  };
}

test('steps beyond the limit of a turn are taken in the next turns, none of one holder alone held back', async () => {
  const { taken, ask } = recorder(8);
  for (let step = 0; step < 20; step += 1) ask('a');
  expect(taken.length).toBe(8);
  await nextTurn();
  expect(taken.length).toBe(16);
  await nextTurn();
  expect(taken.length).toBe(20);
});

test('a holder that comes last is not behind all steps of another', async () => {
  const { taken, ask } = recorder(2);
  for (let step = 0; step < 10; step += 1) ask('a');
  ask('b');
  await nextTurn();
  expect(taken).toEqual(['a', 'a', 'a', 'b']);
});

test('what is asked for later in a turn waits while others do', async () => {
  const { taken, ask } = recorder(1);
  ask('a');
  ask('a');
  await nextTurn();
  ask('b');
  expect(taken).toEqual(['a', 'a']);
  await nextTurn();
  expect(taken).toEqual(['a', 'a', 'b']);
});

test('whoever is gone when their turn comes takes none', async () => {
  const takeStep = createFairSteps(1);
  const taken: string[] = [];
  const ask = (holder: string, isGone: boolean) =>
    takeStep(holder, () => isGone)?.then(() => taken.push(holder));
  void ask('a', false);
  for (let step = 0; step < 10; step += 1) void ask('a', true);
  void ask('b', true);
  void ask('c', false);
  void ask('a', false);
  await nextTurn();
  expect(taken).toEqual(['a']);
  await nextTurn();
  expect(taken).toEqual(['a', 'c']);
});
