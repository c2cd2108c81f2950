import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { byteOrderMark, type Cell, csvLine } from '../../src/core/base/csv/csv.ts';
import { csvWritings } from '../../src/core/base/csv/csv-writing.ts';
import { describeWith } from '../support/engines.ts';

const directory = await mkdtemp(join(tmpdir(), 'spreadsheets-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

/** The numbers of LibreOffice for languages. */
const languages = { pt: 1046, en: 1033 };

interface OpenedCell {
  type: string | undefined;
  isFormula: boolean;
  text: string;
}

/** The cells of a file as LibreOffice opens it in a language with a separator. */
async function open(csv: string, separator: string, language: number): Promise<OpenedCell[]> {
  await writeFile(join(directory, 'file.csv'), csv);
  const filter = `Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,UTF8,1,,${language}`;
  const home = `-env:UserInstallation=file://${directory}/profile`;
  const args = [home, '--headless', `--infilter=${filter}`, '--convert-to', 'fods', '--outdir', directory];
  const { status } = spawnSync('soffice', [...args, join(directory, 'file.csv')], { stdio: 'ignore' });
  expect(status).toBe(0);
  const sheet = await readFile(join(directory, 'file.fods'), 'utf8');
  return [...sheet.matchAll(/<table:table-cell([^>]*?)(?:\/>|>([^]*?)<\/table:table-cell>)/g)].map(
    ([, attributes = '', content = '']) => ({
      type: /office:value-type="(\w+)"/.exec(attributes)?.[1],
      isFormula: attributes.includes('table:formula'),
      text: content
        .replace(/<text:tab\/>/g, '\t')
        .replace(/<[^>]*>/g, '')
        .trim(),
    }),
  );
}

describeWith(['soffice'], 'a file that LibreOffice opens', () => {
  const texts = ['01234567890', '1234567E000184', '00123', '10/11', 'mar-10', '12.345.678', '10:30', 'TRUE'];
  const hostile = [
    '=1+2',
    ' =1+2',
    '\t=1+2',
    'x;=1+2;y',
    'x,=1+2,y',
    'x|=1+2',
    "'=1+2",
    '+1+2',
    '-1+2',
    '@A1',
  ];

  test.each(['pt', 'en'] as const)('keeps documents and references texts: %s', async (locale) => {
    const writing = csvWritings[locale];
    const cells: Cell[] = [...texts, writing.amount(1234.5)];
    const opened = await open(byteOrderMark + csvLine(cells, writing), writing.separator, languages[locale]);
    expect(opened.slice(0, texts.length)).toEqual(
      texts.map((text) => ({ type: 'string', isFormula: false, text })),
    );
    expect(opened[texts.length]?.type).toBe('float');
  });

  test.each(['pt', 'en'] as const)('has no formula, whatever it is opened with: %s', async (locale) => {
    const writing = csvWritings[locale];
    const csv = byteOrderMark + hostile.map((text) => csvLine(['a', text, 'b'], writing)).join('');
    for (const separator of [',', ';', '\t', '|'])
      for (const cell of await open(csv, separator, languages[locale])) expect(cell.isFormula).toBe(false);
  });
});
