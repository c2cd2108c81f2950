import { describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { print, sayLine } from '../../packages/cli/src/base/print.ts';
import { instant } from '../../src/cli/base/values.ts';

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

test('for people, prints one member per line: ISO 8601 instants, comma-separated lists, - for absent values', () => {
  expect(printed(item).split('\n')).toEqual([
    'at               2026-11-21T12:00:00.000Z',
    'events           one, two',
    'none             -',
    'left             -',
    'at_work          true',
    '',
  ]);
});

test('list items are separated by an empty line', () => {
  expect(printed([{ a: 1 }, { a: 2 }])).toMatch(/^a +1\n\na +2\n$/);
});

test('for programs, prints exactly one JSON value', () => {
  expect(JSON.parse(printed(item, '--json'))).toEqual({ ...item, at: '2026-11-21T12:00:00.000Z' });
});

describe('what somebody else wrote', () => {
  const hostile = 'T-shirt\u001b[2J\u009b1A\u007f\u202e\rstatus';

  test('does nothing to the terminal', () => {
    const shown = 'T-shirt\\u001b[2J\\u009b1A\\u007f\\u202e\\u000dstatus';
    expect(printed({ description: hostile })).toBe(`description      ${shown}\n`);
    expect(printed({ names: [hostile] })).toBe(`names            ${shown}\n`);
    expect(printed({ metadata: { note: hostile } })).not.toMatch(/[^\n -~]/);
    let said = '';
    sayLine(
      new Command().configureOutput({ writeOut: (part) => (said += part) }),
      {},
      `payment_confirmed  ${hostile}`,
    );
    expect(said).toBe(`payment_confirmed  ${shown}\n`);
  });

  test('is no line of its own', () => {
    expect(printed({ description: 'T-shirt\nstatus           completed' }).split('\n')).toHaveLength(2);
  });

  test('is for programs what it was', () => {
    const text = printed({ description: hostile }, '--json');
    expect(text).not.toMatch(/[^\n -~]/);
    expect(JSON.parse(text)).toEqual({ description: hostile });
  });
});

describe('an instant', () => {
  test.each([
    ['the word of a person', 'yesterday'],
    ['a date in American', 'Dec 24, 2027'],
    ['a day', '2026-11-21'],
    ['a time of nobody knows where', '2026-11-21T00:00:00'],
    ['a day that there is not', '2026-02-30T00:00:00Z'],
    ['a number', '1767225600'],
    ['nothing', ''],
  ])('is not %s', (_name, text) => {
    expect(() => instant(text)).toThrow('must be an ISO 8601 instant such as 2026-11-21T00:00:00Z');
  });

  test.each([
    ['2026-11-21T00:00:00Z', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T00:00:00.5-03:00', '2026-11-21T03:00:00.500Z'],
  ])('is %s', (text, iso) => {
    expect(instant(text).toISOString()).toBe(iso);
  });
});
