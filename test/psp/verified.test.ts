import { expect, test } from '@jest/globals';
import { presetNames } from '../../src/psp/bacen/account/presets.ts';
import { providers } from '../../src/psp/providers.ts';
import { verifiedAt } from '../../src/psp/verified.ts';
import { read } from '../support/pages.ts';

const names: [name: string, provider: string, preset: string | null][] = [
  ...Object.keys(providers)
    .filter((name) => name !== 'bacen' && name !== 'sandbox')
    .map((name): [string, string, null] => [name, name, null]),
  ...presetNames.map((preset): [string, string, string] => [`bacen/${preset}`, 'bacen', preset]),
];

/** The last cell of the row that begins with these words. */
const lastCell = (page: string, words: string): string | undefined =>
  read(page)
    .split('\n')
    .find((line) => line.startsWith(`| ${words} `) && line.split('|').length > 3)
    ?.split('|')
    .at(-2)
    ?.trim();

test.each(names)('the documentation says of %s who has seen it work, and no more', (_, provider, preset) => {
  const seen = verifiedAt(provider).find((each) => each.preset === preset);
  const status = seen
    ? `verified on ${seen.day} with ${seen.version}, by [report](${seen.report})`
    : 'emulated only';
  const words = preset ? `\`${provider}\`, \`${preset}\`` : `\`${provider}\``;
  expect(lastCell('docs/going-live/README.md', words)).toBe(status);
  expect(preset ? lastCell('docs/banks.md', `\`${preset}\``) : lastCell('docs/providers.md', words)).toBe(
    status,
  );
  const [, page = ''] =
    new RegExp(`^\\| ${words} +\\| \\[.*?\\]\\(([\\w-]+\\.md)\\)`, 'm').exec(
      read('docs/going-live/README.md'),
    ) ?? [];
  const [line = ''] = /^\*\*\[Seen to work\].*(\n.+)*/m.exec(read(`docs/going-live/${page}`)) ?? [];
  expect(line.replaceAll('\n', ' ')).toContain(`${words}: ${status}.`);
});

test('whoever is called verified has a report of a day', () => {
  for (const { day, report } of Object.keys(providers).flatMap(verifiedAt)) {
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(report).toMatch(/^https:/);
  }
});
