import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { giveMemoryBackWhenCalm } from '../src/idle-memory.ts';

let utilization: number;
let modes: boolean[];

beforeEach(() => {
  jest.useFakeTimers();
  utilization = 0.9;
  modes = [];
  giveMemoryBackWhenCalm({ utilization: () => utilization, saveMemory: (isOn) => modes.push(isOn) });
});

afterEach(() => {
  jest.useRealTimers();
});

const pass = (seconds: number) => jest.advanceTimersByTime(seconds * 1000);

test('memory is given back once after a load, when the node has been calm for a while', () => {
  pass(60);
  expect(modes).toEqual([]);

  utilization = 0.03;
  pass(9);
  expect(modes).toEqual([]);
  pass(1);
  expect(modes).toEqual([true]);
  pass(3_600);
  expect(modes).toEqual([true, false]);
});

test('a load that comes meanwhile finds the heap as it was', () => {
  utilization = 0.03;
  pass(15);
  expect(modes).toEqual([true]);

  utilization = 0.5;
  pass(1);
  expect(modes).toEqual([true, false]);
});

test('a pause shorter than that changes nothing', () => {
  for (let each = 0; each < 10; each++) {
    utilization = 0.03;
    pass(8);
    utilization = 0.5;
    pass(1);
  }
  expect(modes).toEqual([]);
});
