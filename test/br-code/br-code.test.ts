import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  BrCodeError,
  buildDynamicBrCode,
  buildRecurrenceBrCode,
  buildStaticBrCode,
  crc16,
  parseBrCode,
} from '@pix-service/br-code';
import { cents, reaisFromCents } from '../../src/core/base/money.ts';
import { times } from '../support/chance.ts';

const bacenStatic =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';

/** The examples of the API Pix 2.9.0: a recurrence alone, and with the charge that is paid when permitting it. */
const recurrenceAlone =
  '00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9';
const recurrenceWithCharge =
  '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa35319489063047741';

const published: [string, string, Record<string, string>][] = [
  [
    'static, no amount (Banco Central)',
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
    {
      '00': '01',
      '26-00': 'br.gov.bcb.pix',
      '26-01': '123e4567-e12b-12d1-a456-426655440000',
      '52': '0000',
      '53': '986',
      '58': 'BR',
      '59': 'Fulano de Tal',
      '60': 'BRASILIA',
      '62-05': '***',
      '63': '1D3D',
    },
  ],
  [
    'dynamic, for use once (Banco Central)',
    '00020101021226730014br.gov.bcb.pix2551pix.example.com/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865406123.455802BR5913Fulano de Tal6008BRASILIA62190515RP12345678-201963047309',
    {
      '00': '01',
      '01': '12',
      '26-00': 'br.gov.bcb.pix',
      '26-25': 'pix.example.com/v2/8b3da2f39a4140d1a91abd93113bd441',
      '52': '0000',
      '53': '986',
      '54': '123.45',
      '58': 'BR',
      '59': 'Fulano de Tal',
      '60': 'BRASILIA',
      '62-05': 'RP12345678-2019',
      '63': '7309',
    },
  ],
  [
    'static, with a withdrawal provider and a transaction id of 25',
    '00020126950014br.gov.bcb.pix01364004901d-bd85-4769-8e52-cb4c42c506dc0221Jornada pagador 431070308999990085204000053039865406577.575802BR5903Pix6008BRASILIA6229052599ed983ea570413d8d336301d630418B7',
    {
      '00': '01',
      '26-00': 'br.gov.bcb.pix',
      '26-01': '4004901d-bd85-4769-8e52-cb4c42c506dc',
      '26-02': 'Jornada pagador 43107',
      '26-03': '99999008',
      '52': '0000',
      '53': '986',
      '54': '577.57',
      '58': 'BR',
      '59': 'Pix',
      '60': 'BRASILIA',
      '62-05': '99ed983ea570413d8d336301d',
      '63': '18B7',
    },
  ],
  [
    'static, with a recurrence in template 80',
    '00020126780014br.gov.bcb.pix0136f4c6089a-bfde-4c00-a2d9-9eaa584b02190216CobrancaEstatica5204000053039865406650.345802BR5903Pix6008BRASILIA6229052580a2d0a923984e8dbb80b4adf80950014br.gov.bcb.pix2573qr-h.sandbox.pix.bcb.gov.br/rest/api/rec/d7913bcbfc4947c9811669db12b403746304595A',
    {
      '00': '01',
      '26-00': 'br.gov.bcb.pix',
      '26-01': 'f4c6089a-bfde-4c00-a2d9-9eaa584b0219',
      '26-02': 'CobrancaEstatica',
      '52': '0000',
      '53': '986',
      '54': '650.34',
      '58': 'BR',
      '59': 'Pix',
      '60': 'BRASILIA',
      '62-05': '80a2d0a923984e8dbb80b4adf',
      '63': '595A',
      '80-00': 'br.gov.bcb.pix',
      '80-25': 'qr-h.sandbox.pix.bcb.gov.br/rest/api/rec/d7913bcbfc4947c9811669db12b40374',
    },
  ],
  [
    'static, with underscores (Woovi)',
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-42665544000052040000530398654041.005802BR5915Call_me_Awesome6009Sao_Paulo622905259134e2866f71427abf001000063047029',
    {
      '00': '01',
      '26-00': 'br.gov.bcb.pix',
      '26-01': '123e4567-e12b-12d1-a456-426655440000',
      '52': '0000',
      '53': '986',
      '54': '1.00',
      '58': 'BR',
      '59': 'Call_me_Awesome',
      '60': 'Sao_Paulo',
      '62-05': '9134e2866f71427abf0010000',
      '63': '7029',
    },
  ],
  [
    'dynamic, with the GUI in upper case',
    '00020101021226770014BR.GOV.BCB.PIX2555pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a995204000053039865802BR5907EMPRESA6009SAO PAULO62070503***6304EEAB',
    {
      '00': '01',
      '01': '12',
      '26-00': 'BR.GOV.BCB.PIX',
      '26-25': 'pix.example.com/qr/93598be0-1bd0-4997-8318-81776a1d8a99',
      '52': '0000',
      '53': '986',
      '58': 'BR',
      '59': 'EMPRESA',
      '60': 'SAO PAULO',
      '62-05': '***',
      '63': 'EEAB',
    },
  ],
];

const signed = (body: string) => `${body}6304${crc16(`${body}6304`)}`;
const account = '26330014br.gov.bcb.pix011112345678909';
const payee = { merchantName: 'Fulano de Tal', merchantCity: 'Brasilia' };
const location = 'pix.example.com/qr/v2/1234';
const randomKey = '123e4567-e12b-12d1-a456-426655440000';

/** From 467 characters, made longer by data objects that nobody reserved. */
const codeOfLength = (length: number) => {
  const fillers = ['65', '66', '67', '68'].map((id) => `${id}99${'x'.repeat(99)}`).join('');
  return signed(`000201${account}${fillers}69${length - 467}${'x'.repeat(length - 467)}`);
};

const brCodeOf = (options: object = {}) =>
  parseBrCode(buildDynamicBrCode({ location, ...payee, ...options }));

const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
const urlCharacter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789-./'.split(''));
const payees = fc.record({
  merchantName: fc.string({ unit: 'grapheme' }),
  merchantCity: fc.string({ unit: 'grapheme' }),
  amountInCents: fc.option(fc.bigInt(1n, 999_999_999_999n).map(cents), { nil: undefined }),
});
const dynamicCodes = fc
  .record({ payee: payees, location: fc.string({ unit: urlCharacter, minLength: 1, maxLength: 77 }) })
  .map((input) => ({ ...input, code: buildDynamicBrCode({ ...input.payee, location: input.location }) }));

describe('a broken BR Code', () => {
  it.each([
    ['an empty text', '', 'must start with 000201'],
    ['a text that is no BR Code', 'https://example.com', 'must start with 000201'],
    ['no payload format in front', signed(`${account}52040000`), 'must start with 000201'],
    ['more than 512 characters', codeOfLength(513), 'the maximum is 512'],
    ['a line break behind it', `${bacenStatic}\n`, 'unprintable'],
    ['half a character', signed(`000201${account}5903\ud800ab`), 'unprintable'],
    ['a wrong CRC', bacenStatic.replace(/.$/, 'E'), '63, the CRC, is wrong'],
    ['a CRC in lower case', bacenStatic.replace('1D3D', '1d3d'), '63, the CRC, is wrong'],
    ['no CRC', bacenStatic.slice(0, -8), '63, the CRC, must be present and last'],
    ['an empty CRC', bacenStatic.slice(0, -4), '63 is empty'],
    ['half a CRC', bacenStatic.slice(0, -2), '63 runs past the end'],
    ['a CRC that is too short', '000201' + account + '63021D', '63, the CRC, is wrong'],
    ['something behind the CRC', `${bacenStatic}6102AB`, '63, the CRC, must be present and last'],
    ['a length past the end', bacenStatic.replace('5913Fulano', '5993Fulano'), '59 runs past the end'],
    ['a length past its template', signed('00020126330014br.gov.bcb.pix011212345678909'), '26-01 runs past'],
    ['an object without a value', signed(`000201${account}5900`), '59 is empty'],
    ['an id that is no number', signed(`000201${account}A902AB`), 'A9 is not an id'],
    ['a length that is no number', signed(`000201${account}59x2AB`), '59 is not an id'],
    ['an object twice', signed(`000201${account}5902AB5902AB`), '59 appears twice'],
    ['an object twice in a template', signed('00020126180104abcd0106abcdef'), '26-01 appears twice'],
    ['two CRCs', signed(bacenStatic), '63 appears twice'],
    ['no merchant account', signed('00020152040000'), 'br.gov.bcb.pix'],
    ['another GUI', signed('00020126330014br.gov.bcb.pux011112345678909'), 'br.gov.bcb.pix'],
    ['the GUI outside a template', signed('00020159180014br.gov.bcb.pix'), 'br.gov.bcb.pix'],
    ['the GUI only in an unreserved template', signed('00020180180014br.gov.bcb.pix'), 'br.gov.bcb.pix'],
  ])('is refused for %s', (_, code, message) => {
    expect(() => parseBrCode(code)).toThrow(BrCodeError);
    expect(() => parseBrCode(code)).toThrow(message);
  });

  it('is refused after any change of one character', () => {
    const change = fc.tuple(dynamicCodes, fc.nat(), printable);
    fc.assert(
      fc.property(change, ([{ code }, index, character]) => {
        const at = index % code.length;
        fc.pre(code[at] !== character);
        const changed = code.slice(0, at) + character + code.slice(at + 1);
        expect(() => parseBrCode(changed)).toThrow(BrCodeError);
      }),
      { numRuns: times(100, 1000) },
    );
  });

  it('is refused when truncated anywhere', () => {
    const cut = fc.tuple(dynamicCodes, fc.nat());
    fc.assert(
      fc.property(cut, ([{ code }, length]) => {
        expect(() => parseBrCode(code.slice(0, length % code.length))).toThrow(BrCodeError);
      }),
    );
  });

  it('fails with BrCodeError only, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => parseBrCode(text)).toThrow(BrCodeError);
        expect(() => parseBrCode(signed(`000201${text}`))).toThrow(BrCodeError);
      }),
    );
  });
});

describe("a PSP's BR Code", () => {
  it.each(published)('is parsed as published: %s', (_, code, objects) => {
    const isTemplate = (path: string) => Object.keys(objects).some((other) => other.startsWith(`${path}-`));
    const leaves = [...parseBrCode(code)].filter(([path]) => !isTemplate(path));
    expect(Object.fromEntries(leaves)).toEqual(objects);
  });

  it('may be 512 characters long', () => {
    expect(codeOfLength(512)).toHaveLength(512);
    expect(parseBrCode(codeOfLength(512)).get('69')).toHaveLength(45);
  });

  it('may carry its own templates, category and transaction id', () => {
    const code = signed(`000201${account}27180014br.com.example520458125802BR62170513order-1234/ab`);
    expect(parseBrCode(code).get('62-05')).toBe('order-1234/ab');
  });

  it('may have the GUI in any template from 26 to 51', () => {
    expect(parseBrCode(signed('00020151180014br.gov.bcb.pix')).get('51-00')).toBe('br.gov.bcb.pix');
  });

  it('counts lengths in characters, not in bytes', () => {
    expect(parseBrCode(signed(`000201${account}6009São Paulo`)).get('60')).toBe('São Paulo');
  });
});

describe('building a BR Code fails', () => {
  it.each([0n, -1n, 1_000_000_000_000n, 10n ** 23n])('with an amount, in centavos, of %s', (amount) => {
    expect(() => brCodeOf({ amountInCents: cents(amount) })).toThrow(BrCodeError);
  });

  it.each([
    ['an empty location', ''],
    ['a location that is a scheme only', 'https://'],
    ['a location of 78 characters', 'x'.repeat(78)],
    ['a location with a space', 'pix.example.com/a b'],
    ['a location with an accent', 'pix.example.com/cobrança'],
  ])('from %s', (_, text) => {
    expect(() => brCodeOf({ location: text })).toThrow('26-25 must be a URL');
    const recurrence = { ...payee, recurrenceLocation: text };
    expect(() => buildRecurrenceBrCode(recurrence)).toThrow('80-25 must be a URL');
    const charge = { ...payee, recurrenceLocation: location, location: text };
    expect(() => buildRecurrenceBrCode(charge)).toThrow('26-25 must be a URL');
  });

  it.each([
    ['an empty key', ''],
    ['a CPF with punctuation', '123.456.789-09'],
    ['a phone without its country', '61912345678x'],
    ['a random key in upper case', randomKey.toUpperCase()],
    ['an e-mail in upper case', 'Fulano@example.com'],
    ['an e-mail of 78 characters', `${'x'.repeat(66)}@example.com`],
  ])('for %s', (_, pixKey) => {
    expect(() => buildStaticBrCode({ pixKey, ...payee })).toThrow('26-01 must be a Pix key');
  });

  it.each(['', 'x'.repeat(26), 'order-1', '****'])('with the transaction id "%s"', (transactionId) => {
    expect(() => buildStaticBrCode({ pixKey: randomKey, transactionId, ...payee })).toThrow('62-05 must be');
  });
});

describe('a BR Code we build', () => {
  it("matches the Banco Central's byte for byte", () => {
    const merchant = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };
    expect(buildStaticBrCode({ pixKey: randomKey, ...merchant })).toBe(bacenStatic);
  });

  it('permits a recurrence, and pays its first charge, as the examples of the API Pix do', () => {
    const merchant = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };
    const alone = {
      recurrenceLocation: 'https://pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002',
    };
    expect(buildRecurrenceBrCode({ ...merchant, ...alone })).toBe(recurrenceAlone);
    const both = {
      recurrenceLocation: 'pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa353194890',
      location: 'https://pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441',
    };
    expect(buildRecurrenceBrCode({ ...merchant, ...both })).toBe(recurrenceWithCharge);
    expect(parseBrCode(recurrenceWithCharge).get('80-25')).toBe(both.recurrenceLocation);
  });

  it('has the CRC of the published check value', () => {
    expect(crc16('123456789')).toBe('29B1');
    expect(crc16('')).toBe('FFFF');
  });

  it('is for single use and names no transaction when built from a location', () => {
    const code = brCodeOf();
    expect([code.get('01'), code.get('26-25'), code.get('62-05')]).toEqual(['12', location, '***']);
    expect([code.get('52'), code.get('53'), code.get('58')]).toEqual(['0000', '986', 'BR']);
    expect(code.has('54')).toBe(false);
  });

  it('drops the scheme of a location', () => {
    expect(brCodeOf({ location: `https://${location}` }).get('26-25')).toBe(location);
  });

  it.each([
    [1n, '0.01'],
    [99n, '0.99'],
    [100n, '1.00'],
    [12_345n, '123.45'],
    [999_999_999_999n, '9999999999.99'],
  ])('prints an amount in centavos, %s, as %s', (amount, printed) => {
    expect(brCodeOf({ amountInCents: cents(amount) }).get('54')).toBe(printed);
  });

  it.each([
    ['accents', 'José Conceição', 'Jose Conceicao'],
    ['what banks refuse', 'Casa & Cia @ Centro', 'Casa Cia Centro'],
    ['what banks refuse, in full width', 'Casa ＆ Cia ＠', 'Casa Cia'],
    ['emoji and controls', '☕ Café\tda\u0000 Esquina 🎉', 'Cafe da Esquina'],
    ['white space around', '  Fulano   de\u00a0Tal ', 'Fulano de Tal'],
    ['what is over 25 characters', 'A'.repeat(26), 'A'.repeat(25)],
    ['a space at the cut', `${'A'.repeat(24)} B`, 'A'.repeat(24)],
    ['all of it, and then says "payee"', '株式会社', 'Recebedor'],
  ])('drops %s from the name', (_, merchantName, expected) => {
    expect(brCodeOf({ merchantName }).get('59')).toBe(expected);
  });

  it.each([
    ['São José dos Campos', 'Sao Jose dos Ca'],
    ['Brasília', 'Brasilia'],
    ['東京', 'Brasil'],
  ])('prints the city %s as %s', (merchantCity, expected) => {
    expect(brCodeOf({ merchantCity }).get('60')).toBe(expected);
  });

  it.each(['12345678909', '12ABC34501DE35', '+5561912345678', randomKey, 'fulano@example.com'])(
    'carries the key %s',
    (pixKey) => expect(parseBrCode(buildStaticBrCode({ pixKey, ...payee })).get('26-01')).toBe(pixKey),
  );

  it('truncates the information to the space left by the key', () => {
    const build = (pixKey: string) =>
      parseBrCode(buildStaticBrCode({ pixKey, additionalInformation: 'á'.repeat(80), ...payee }));
    expect(build('12345678909').get('26-02')).toBe('a'.repeat(62));
    expect(build('12345678909').get('26')).toHaveLength(99);
    expect(build(`${'x'.repeat(65)}@example.com`).has('26-02')).toBe(false);
  });

  it('parses back to its input, whatever the names', () => {
    fc.assert(
      fc.property(dynamicCodes, ({ code, location: made, payee: { amountInCents } }) => {
        const objects = parseBrCode(code);
        expect(objects.get('26-25')).toBe(made);
        const amount = objects.get('54')?.replace('.', '');
        expect(amount === undefined ? undefined : BigInt(amount)).toBe(amountInCents);
        expect(objects.get('59')).toMatch(/^(?! )[ -%'-?A-~]{1,25}(?<! )$/);
        expect(objects.get('60')).toMatch(/^(?! )[ -%'-?A-~]{1,15}(?<! )$/);
      }),
    );
  });

  it('parses the same with an independent implementation', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        payees,
        fc.stringMatching(/^[A-Za-z0-9]{1,25}$/),
        (pixKey, made, transactionId) => {
          const code = buildStaticBrCode({ pixKey, transactionId, ...made });
          const objects = parseBrCode(code);
          expect(getPixPayloadInfo(code)).toMatchObject({
            key: pixKey,
            txid: transactionId,
            merchantName: objects.get('59'),
            merchantCity: objects.get('60'),
            ...(made.amountInCents && { amount: reaisFromCents(made.amountInCents) }),
          });
        },
      ),
    );
  });

  it('matches an independent implementation byte for byte', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-zÀ-ÿ]{0,8}( [A-Za-zÀ-ÿ0-9.-]{1,9}){0,4}$/);
    fc.assert(
      fc.property(
        fc.uuid(),
        name,
        name,
        fc.integer({ min: 1, max: 10_000_000 }),
        (id, merchantName, merchantCity, amount) => {
          const merchant = { merchantName, merchantCity };
          const fixed = { key: id, description: merchantName, amount: amount / 100, ...merchant };
          expect(
            buildStaticBrCode({
              pixKey: id,
              additionalInformation: merchantName,
              amountInCents: cents(amount),
              ...merchant,
            }),
          ).toBe(generatePixPayload(fixed));
          const url = `pix.example.com/qr/v2/${id}`;
          expect(buildDynamicBrCode({ location: url, ...merchant })).toBe(
            generatePixPayload({ url, ...merchant }),
          );
        },
      ),
    );
  });
});
