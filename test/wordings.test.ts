import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** What people read: pages, e-mails, exports, and the settings and checks of providers. */
const places = [
  /^src\/dashboard\/(?!generated).*\.tsx?$/,
  /^src\/core\/.*-words\.ts$/,
  /^src\/core\/providers\/rules\/check-reasons\.ts$/,
  /^src\/core\/.*-export\.ts$/,
  /^src\/core\/health\/alert-mail\.ts$/,
  /^src\/psp\/[^/]+\/about\.ts$/,
];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => join('src', path))
  .filter((path) => places.some((place) => place.test(path)));

/** Each thing has one name: what is said instead of those that were given up. */
const givenUp: [wording: RegExp, instead: string][] = [
  [/Depois, ou fora das faixas/, 'Padrão (fora das faixas)'],
  [/\bPor último\b/, 'Contingência'],
  [/Ver caminho/, 'Simular roteamento'],
  [/Vale conferir/, 'Confira antes de salvar'],
  [/Conforme a conta/, 'Configurações opcionais'],
  [/Provedor conhecido/, 'Banco/PSP'],
  [/Nada devolvido/, 'Precisa de atenção'],
  [/\b[Pp]ap(el|éis)\b/, 'função'],
  [/\b[Dd]onos?\b/, 'proprietário'],
  [/\b[Ll]eitor(es)?\b/, 'somente leitura'],
  [/^Senha nova/, 'Nova senha'],
  // A payment with a due date is "vencido"; what expires is not.
  [/\b(?:[Cc]have|[Cc]onvite|[Ss]enha|[Ll]ink|[Ss]essão|[Cc]ertificado)s? vencid[ao]s?\b/, 'expirado'],
  [/\b[Pp]ulad[ao]s?\b/, 'ignorado'],
  [/não foi preciso/, 'não usada'],
  [/\bE agora\b/, 'Próximos passos'],
  [/será mostrad[ao] de novo/, 'você não verá isto novamente'],
  [/\bId\b(?! de\b)/, 'ID'],
  [/ID externo/, 'referência'],
  [/^(Mudar|Trocar|Alterar)\b(?! senha)/, 'Editar'],
  [/\bAt last\b/, 'Fallbacks'],
  [/out of the ranges/, 'Default (no range matches)'],
  [/Show the way/, 'Preview routing'],
  [/^Facts$/, 'Details'],
  [/\b[Gg]iven (up|back)\b/, 'failed, refunded'],
  [/Payment paid/, 'Payment received'],
  [/Name of the receiver/, 'Merchant name'],
  [/Secret signature/, 'Webhook signing secret'],
  [/\bAnd now\b/, 'Next steps'],
  [/did not work/, 'Something went wrong'],
];

/** Quoted texts of a source, without names of headers. */
const textsOf = (source: string): string[] =>
  [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, quoted, template]) => quoted ?? template ?? '')
    .filter((text) => !text.startsWith('X-'));

test.each([
  'src/dashboard/ui/error-alert.tsx',
  'src/core/people/rules/link-words.ts',
  'src/core/reports/payment-export.ts',
])('texts of %s are looked at', (file) => {
  expect(files).toContain(file);
  expect(textsOf(readFileSync(file, 'utf8')).length).toBeGreaterThan(5);
});

test.each(givenUp)('nothing that people read says %s', (wording, instead) => {
  const found = files.flatMap((file) =>
    textsOf(readFileSync(file, 'utf8'))
      .filter((text) => wording.test(text))
      .map((text) => `${file}: ${text} (say: ${instead})`),
  );
  expect(found).toEqual([]);
});
