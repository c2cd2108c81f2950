import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { blocksOf, pages, read, root } from './support/pages.ts';

/** Of the machine, or of the service as docs/operating.md has it. */
const givenVariables = ['HOME', 'PATH', 'PWD', 'DATABASE_URL'];

/** `PAGE:LINE $NAME` of each variable that no command before it on the page assigns. */
function unassignedIn(page: string): string[] {
  const assigned = new Set(givenVariables);
  return blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code, line }) =>
      code.split('\n').flatMap((command, index) => {
        const used = [...command.matchAll(/\$\{?([A-Z][A-Z_]*)/g)].map(([, name = '']) => name);
        for (const [, name = ''] of command.matchAll(/(?:^|[\s;(]|read -r )([A-Z][A-Z_]*)=/g))
          assigned.add(name);
        return used.filter((name) => !assigned.has(name)).map((name) => `${page}:${line + index} $${name}`);
      }),
    );
}

/** Files that commands write into the checkout, and those that a page tells its reader to write. */
const writtenIn = (page: string): string[] => [
  ...blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => [
      ...code.matchAll(/(?:[^->]> ?|-out |-keyout )((?:[\w-]+\/)?[\w-]*\.[a-z0-9]+)(?=[\s;&]|$)/gm),
    ])
    .map(([, file = '']) => file),
  ...[...read(page).matchAll(/settings in `([\w-]+\.json)`/g)].map(([, file = '']) => file),
];

describe('the commands of the pages', () => {
  test.each([...pages, 'examples/README.md'])('assign every variable that they use: %s', (page) => {
    expect(unassignedIn(page)).toEqual([]);
  });

  test('write secrets and data of people only where git does not look', () => {
    const published = ['schema.graphql'];
    const written = [...new Set(pages.flatMap(writtenIn))].filter((file) => !published.includes(file));
    expect(written).toEqual(
      expect.arrayContaining(['woovi.json', 'pix.key', 'pix.pem', 'pix.p12', 'deploy/.env']),
    );
    const { stdout, status } = spawnSync('git', ['check-ignore', '--no-index', ...written], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout.trim().split('\n').sort()).toEqual(written.sort());
  });
});
