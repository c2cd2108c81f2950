import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { print } from '../../src/cli/print.ts';

function printed(result: object, ...args: string[]): string {
  let text = '';
  const command = new Command().option('--json').configureOutput({ writeOut: (part) => (text += part) });
  command.parse(args, { from: 'user' });
  print(command, result);
  return text;
}

const item = {
  at: new Date('2026-11-21T12:00:00Z'),
  events: ['one', 'two'],
  none: [],
  left: null,
  at_work: true,
};

test('a person reads one member a line: instants of ISO 8601, lists with commas, - for what is not there', () => {
  expect(printed(item).split('\n')).toEqual([
    'at               2026-11-21T12:00:00.000Z',
    'events           one, two',
    'none             -',
    'left             -',
    'at_work          true',
    '',
  ]);
});

test('the items of a list are parted by an empty line', () => {
  expect(printed([{ a: 1 }, { a: 2 }])).toMatch(/^a +1\n\na +2\n$/);
});

test('a program reads exactly one JSON value', () => {
  expect(JSON.parse(printed(item, '--json'))).toEqual({ ...item, at: '2026-11-21T12:00:00.000Z' });
});
