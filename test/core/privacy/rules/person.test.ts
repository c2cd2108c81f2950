import { expect, test } from '@jest/globals';
import { parseDocument, spellings } from '../../../../src/core/payments/rules/document.ts';
import { tracesOf } from '../../../../src/core/privacy/rules/person.ts';

const pseudonym = 'forgotten-0123456789ab';
const traces = tracesOf(
  {
    documents: ['529.982.247-25'],
    names: ['Antônia Gonçalves'],
    emails: ['antonia@example.com'],
    phones: ['+55 (11) 98765-4321'],
  },
  pseudonym,
);

test.each([
  ['52998224725', pseudonym],
  ['CPF 529.982.247-25.', `CPF ${pseudonym}.`],
  ['529 982 247/25', pseudonym],
  ['Para ANTONIA  GONCALVES, obrigado', `Para ${pseudonym}, obrigado`],
  ['Anto\u0302nia Gonc\u0327alves', pseudonym],
  ['mailto:Antonia@Example.com?x', `mailto:${pseudonym}?x`],
  ['11987654321', pseudonym],
  ['tel: 55 11 98765 4321', `tel: ${pseudonym}`],
  ['(11) 98765-4321', pseudonym],
])('%j is left as %j', (text, left) => {
  expect(traces.replaceIn(text)).toBe(left);
});

test.each([
  'Antônia Gonçalvesa',
  'Antônia',
  'xantonia@example.com',
  'antonia@example.com.br',
  '152998224725',
  '529982247250',
  '52998224726',
  'E52998224725202611221200abcdefghijk',
  '119876543210',
])('somebody else, as in %j, is left alone', (text) => {
  expect(traces.replaceIn(text)).toBe(text);
});

test('JSON keeps its form, its numbers and the spelling of what is not replaced', () => {
  const json = String.raw`{ "n": 1.50, "doc":52998224725, "a\u00e9":"x\/y", "Ant\u00f4nia Gon\u00e7alves": ["antonia@example.com",null] }`;
  expect(traces.replaceInJson(json)).toBe(
    String.raw`{ "n": 1.50, "doc":"${pseudonym}", "a\u00e9":"x\/y", "${pseudonym}": ["${pseudonym}",null] }`,
  );
});

test('what is no JSON loses the person too, and is read once', () => {
  const { replaceInJson } = traces;
  expect(replaceInJson(String.raw`doc=52998224725&"a\q": "antonia@example.com`)).toBe(
    String.raw`doc=${JSON.stringify(pseudonym)}&"a\q": "${pseudonym}`,
  );
  const startedAt = performance.now();
  replaceInJson(`"${String.raw`\"`.repeat(50_000)}`);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('a document with leading zeros is found as a number', () => {
  const { replaceInJson } = tracesOf(
    { documents: ['00000000191'], names: [], emails: [], phones: [] },
    pseudonym,
  );
  expect(replaceInJson('[191, 1910]')).toBe(`["${pseudonym}", 1910]`);
});

test('a body is about the person by document, e-mail or phone, however JSON writes it, and not by name', () => {
  const cnpj = tracesOf(
    { documents: ['12ABC34501DE35'], names: [], emails: ['é@x.com'], phones: [] },
    pseudonym,
  );
  expect(cnpj.occurIn(String.raw`{"cnpj":"12.ABC.345\/01DE-35"}`)).toBe(true);
  expect(cnpj.occurIn(String.raw`{"email":"\u00e9@x.com"}`)).toBe(true);
  expect(cnpj.occurIn(String.raw`{"email":"e.x.com"}`)).toBe(false);
  expect(traces.occurIn('{"nome":"Antônia Gonçalves"}')).toBe(false);
  expect(traces.occurIn('{"fone":"+5511987654321"}')).toBe(true);
  expect(traces.occurIn('{"fone":"+5511987654321"}')).toBe(true);
});

test('nobody is found by what is empty', () => {
  const none = tracesOf({ documents: [], names: [' ', 'Jo'], emails: [], phones: ['+ () -'] }, pseudonym);
  expect(none.replaceIn('Jo: 1 () x')).toBe('Jo: 1 () x');
  expect(none.occurIn('anything')).toBe(false);
});

test.each([
  ['52998224725', ['52998224725', '529.982.247-25', '529982247-25', '529 982 247 25'], 45],
  ['12ABC34501DE35', ['12ABC34501DE35', '12.ABC.345/01DE-35', '12ABC345/01DE-35'], 225],
] as const)('%s is looked for in every usual spelling', (text, some, count) => {
  const document = parseDocument(text);
  const all = document ? spellings(document) : [];
  expect(all).toEqual(expect.arrayContaining([...some]));
  expect(new Set(all).size).toBe(count);
  expect(all.every((each) => parseDocument(each)?.value === text)).toBe(true);
});
