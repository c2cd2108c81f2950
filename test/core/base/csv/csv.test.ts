import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cell, csvLine } from '../../../../src/core/base/csv/csv.ts';
import { csvForPrograms, csvWritings } from '../../../../src/core/base/csv/csv-writing.ts';

const { pt, en } = csvWritings;

const lineIn = (writing: typeof pt, ...cells: Cell[]) => csvLine(cells, writing).slice(0, -2);

/** Reads a line as a spreadsheet does that takes `separator`: quotes count at the beginning of a cell only. */
function cellsBy(separator: string, line: string): string[] {
  const cells = [''];
  let [isQuoted, isOpen] = [false, false];
  for (let at = 0; at < line.length; at++) {
    const unit = line.charAt(at);
    if (isOpen && unit === '"' && line.charAt(at + 1) === '"') cells[cells.length - 1] += line.charAt(at++);
    else if (isOpen && unit === '"') isOpen = false;
    else if (!isOpen && !isQuoted && unit === '"' && cells.at(-1) === '') [isQuoted, isOpen] = [true, true];
    else if (!isOpen && (unit === separator || unit === '\r' || unit === '\n')) {
      cells.push('');
      isQuoted = false;
    } else cells[cells.length - 1] += unit;
  }
  return cells;
}

describe('a formula in a text', () => {
  test.each<[text: string, safe: string]>([
    ['=1+2', "'=1+2"],
    ['  @SUM(A1)', `  '@SUM(A1)`],
    ['\uFEFF+1', "\uFEFF'+1"],
    ['\0-1', "\0'-1"],
    ['x;=1+2;y', "x;'=1+2;y"],
    ['x,=1+2,y', "x,'=1+2,y"],
    ['x\t=1+2', "x\t'=1+2"],
    ['x\n=1+2', "x\n'=1+2"],
    ['x;"=1+2"', `x;"'=1+2"`],
    ['＝1+2', "'＝1+2"],
  ])('is none in any file: %j', (text, safe) => {
    for (const writing of [pt, en, csvForPrograms])
      expect(cellsBy(writing.separator, lineIn(writing, text, 'z'))[0]?.replace(/^\t/, '')).toBe(safe);
  });

  test('is sought once in a long run of separators and spaces', () => {
    const began = performance.now();
    lineIn(pt, '\t'.repeat(60_000), ' \r\n'.repeat(20_000));
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  test('is none whichever separator the file is opened with', () => {
    const unit = fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      ';',
      ',',
      '|',
      '\t',
      '\n',
      '\r',
      '"',
      "'",
      ' ',
      'a',
      '1',
    );
    const texts = fc.array(fc.string({ unit, maxLength: 12 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(texts, fc.constantFrom(pt, en, csvForPrograms), (cells, writing) => {
        for (const separator of [',', ';', '\t', '|'])
          for (const cell of cellsBy(separator, lineIn(writing, ...cells)))
            expect(cell).not.toMatch(/^[\s\0"\uFEFF]*[=+\-@]/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('leaves figures and other texts as they are', () => {
    expect(lineIn(pt, pt.amount(-12.5), pt.instant('2026-11-25T12:00:00Z'))).toBe(
      '-12,50;25/11/2026 09:00:00',
    );
    expect(lineIn(en, en.amount(-12.5), 'Rua A - fundos', 'a@b.com', 'pedido=10')).toBe(
      '-12.50,Rua A - fundos,a@b.com,pedido=10',
    );
  });
});

describe('a text that looks like a number or a date', () => {
  test.each([
    '01234567890',
    '1234567E000184',
    '00123',
    '10/11',
    'mar-10',
    'SEPT1',
    '1e5',
    'R$ 10,00',
    '10:30',
    'TRUE',
  ])('begins with a tab, which keeps it a text: %s', (text) => {
    expect(cellsBy(';', lineIn(pt, text))).toEqual([`\t${text}`]);
    expect(cellsBy(',', lineIn(en, text))).toEqual([`\t${text}`]);
    expect(cellsBy(',', lineIn(csvForPrograms, text))).toEqual([text]);
  });

  test.each([
    'order-1042',
    'Maria',
    '',
    'E12345678202611251200abcdefghijk',
    'pedido 10',
    'Rua 7 de Setembro, 10',
  ])('is not every one with a digit: %s', (text) => {
    expect(cellsBy(';', lineIn(pt, text))).toEqual([text]);
  });
});
