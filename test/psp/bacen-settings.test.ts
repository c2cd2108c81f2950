import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { bacen } from '../../src/psp/bacen/adapter.ts';
import type { BacenSettings } from '../../src/psp/bacen/account/settings.ts';
import { parseSettings, SettingsError } from '../../src/psp/providers.ts';
import { createAuthority } from '../support/certificates.ts';
import { outdated, receiver } from '../support/pkcs12.ts';

const authority = createAuthority('Emulated authority');
const { certificate, privateKey } = authority.issue('receiver');

const complete = {
  baseUrl: 'https://pix.bank.example/v2',
  clientId: 'Client_Id',
  clientSecret: 'Client_Secret',
  pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  merchantName: 'Padaria São José',
  merchantCity: 'São Paulo',
  certificate,
  privateKey,
};

const parsed = (changes: Record<string, unknown> = {}): BacenSettings =>
  parseSettings(bacen, { ...complete, ...changes });

describe('settings', () => {
  const violationOf = (changes: Record<string, unknown>): string => {
    try {
      parseSettings(bacen, { ...complete, ...changes });
      return '';
    } catch (error) {
      expect(error).toBeInstanceOf(SettingsError);
      return (error as Error).message;
    }
  };
  const other = createAuthority('Other').issue('other');
  const encrypted = createPrivateKey(privateKey)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'S3CR3T' })
    .toString();

  test.each([
    { baseUrl: `https://pix.bank.example/${'/'.repeat(100_000)}x` },
    { certificate: '-----BEGIN CERTIFICATE-----'.repeat(10_000) },
    { privateKey: '-----BEGIN PRIVATE KEY-----'.repeat(10_000) },
  ])('however long, are read within a moment', (changes) => {
    const startedAt = performance.now();
    violationOf(changes);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['an unknown member', { webhook: 1 }, /^webhook: no such setting$/],
    ['a missing secret', { clientSecret: undefined }, /^clientSecret must be given$/],
    ['a secret with a line break', { clientSecret: 'a\nb' }, /^clientSecret must be 1 to 2000/],
    ['plain http elsewhere', { baseUrl: 'http://pix.bank.example/v2' }, /^baseUrl must be an https URL/],
    ['a user in the URL', { baseUrl: 'https://u:p@pix.bank.example' }, /^baseUrl must be an https URL/],
    ['a token URL that is none', { tokenUrl: 'oauth/token' }, /^tokenUrl must be an https URL/],
    ['an unknown preset', { preset: 'itua' }, /^preset must be one of efi, itau, .*, pagbank$/],
    [
      'a query in the URL',
      { baseUrl: 'https://pix.bank.example/v2?k=1' },
      /^baseUrl must be .* without .*query/,
    ],
    ['a colon in the client id', { clientId: 'a:b' }, /^clientId must have no colon$/],
    [
      'no key of the application, which Banco do Brasil requires',
      { preset: 'banco-do-brasil', baseUrl: undefined },
      /^appKey must be given: Banco do Brasil requires it$/,
    ],
    [
      'the account number of another bank',
      { preset: 'itau', baseUrl: undefined, accountNumber: '123456' },
      /^accountNumber must be omitted: it belongs to the preset inter$/,
    ],
    ['a header that is no object', { headers: 'a: b' }, /^headers must be an object of strings$/],
    ['a header that is a number', { headers: { 'x-a': 1 } }, /^headers\.x-a must be a string$/],
    ['a header with a line break', { headers: { 'x-a': 'b\r\nc: d' } }, /^headers\.x-a must be 1 to 2000 pr/],
    ['a header with spaces around it', { headers: { 'x-a': ' b' } }, /^headers\.x-a must be 1 to 2000 print/],
    [
      'a header whose name HTTP forbids, which is not repeated',
      { headers: { 'x-a: S3CR3T': 'b' } },
      /^headers must be the name of an HTTP header$/,
    ],
    ...['Authorization', 'content-type', 'Content-Length', 'HOST', 'transfer-encoding'].map(
      (name): [string, Record<string, unknown>, RegExp] => [
        `the header ${name}`,
        { headers: { [name]: 'b' } },
        new RegExp(`^headers.${name} is set by the service itself$`),
      ],
    ),
    [
      'a header named twice',
      { headers: { 'X-A': 'b', 'x-a': 'c' } },
      /^headers must not name a header twice$/,
    ],
    ['a line break in the query', { query: { a: 'b\n' } }, /^query\.a must be 1 to 2000 characters, none/],
    ['an empty parameter', { tokenQuery: { a: '' } }, /^tokenQuery\.a must be 1 to 2000 characters/],
    [
      'a request id in a header of ours',
      { requestIdHeader: 'Authorization' },
      /^requestIdHeader is set by the service itself$/,
    ],
    [
      'a request id in a given header',
      { requestIdHeader: 'X-Id', headers: { 'x-id': '1' } },
      /^requestIdHeader must not be one of headers$/,
    ],
    ['no request a minute', { requestsPerMinute: 0 }, /^requestsPerMinute must be at least 1$/],
    ['half a request a minute', { requestsPerMinute: 1.5 }, /^requestsPerMinute must be a whole number$/],
    [
      'a client authentication that is none',
      { clientAuth: 'jwt' },
      /^clientAuth must be one of basic, form, none$/,
    ],
    ['scopes on two lines', { scope: 'a\nb' }, /^scope must be words/],
    ['a word where a decision is wanted', { compareKey: 'no' }, /^compareKey must be true or false$/],
    [
      'an unknown way of notifying',
      { notificationAuth: 'none' },
      /^notificationAuth must be mtls or urlToken$/,
    ],
    ['a certificate that is no PEM', { certificate: 'MIIB' }, /^certificate must be in PEM/],
    [
      'a key of another certificate',
      { privateKey: other.privateKey },
      /^privateKey does not belong to certificate$/,
    ],
    [
      'a certificate that is cut short',
      { certificate: `${certificate.slice(0, 300)}\n-----END CERTIFICATE-----` },
      /^certificate cannot be read: it must be complete$/,
    ],
    [
      'a private key that is cut short',
      { privateKey: `${privateKey.slice(0, 100)}\n-----END PRIVATE KEY-----` },
      /^privateKey cannot be read: it must be complete, and passphrase must decrypt it$/,
    ],
    [
      'a private key without its passphrase',
      { privateKey: encrypted },
      /^privateKey cannot be read: it must be complete, and passphrase must decrypt it$/,
    ],
    [
      'an authority that is cut short',
      { ca: `${certificate.slice(0, 300)}\n-----END CERTIFICATE-----` },
      /^ca cannot be read: it must be complete$/,
    ],
    ['half of a pair', { privateKey: undefined }, /^privateKey must be given with the other half/],
    [
      'no certificate',
      { privateKey: undefined, certificate: undefined },
      /^certificate and privateKey, or pkcs12/,
    ],
    ['two certificates', { pkcs12: 'AAAA' }, /^pkcs12 must be omitted/],
    [
      'a PKCS #12 that is none',
      { privateKey: undefined, certificate: undefined, pkcs12: 'AAAA', passphrase: 'S3CR3T' },
      /^pkcs12 cannot be read: (?!.*S3CR3T)/,
    ],
    [
      'a PKCS #12 with another passphrase',
      { privateKey: undefined, certificate: undefined, pkcs12: receiver.pkcs12, passphrase: 'S3CR3T' },
      /^passphrase must be the one that opens pkcs12$/,
    ],
    [
      'a PKCS #12 that is encrypted with RC2',
      { privateKey: undefined, certificate: undefined, ...outdated },
      /^pkcs12 uses an outdated encryption, such as RC2: convert it with openssl pkcs12 -legacy -in /,
    ],
    [
      'another API of a bank that signs in elsewhere',
      { preset: 'itau' },
      /^tokenUrl must be given with another baseUrl: Itaú signs in on a host of its own$/,
    ],
    [
      'no base URL and no preset',
      { baseUrl: undefined },
      /^baseUrl must be given unless the preset has one$/,
    ],
    [
      'several of them',
      { pixKey: '', merchantCity: 7 },
      /^pixKey must not be empty; merchantCity must be a string$/,
    ],
    [
      'every kind of mistake at once',
      { preset: 'banco-do-brasil', headers: { host: 'a' }, requestsPerMinute: 0, privateKey: undefined },
      /^headers\.host is set .*; requestsPerMinute must be at least 1; tokenUrl must be given .*; appKey must be given: .*; privateKey must /,
    ],
  ])('with %s are refused', (_, changes, message) => {
    expect(violationOf(changes)).toMatch(message);
  });

  test('may hold the certificate as PKCS #12', () => {
    const { passphrase, pkcs12 } = receiver;
    const settings = {
      ...complete,
      certificate: undefined,
      privateKey: undefined,
      passphrase,
      pkcs12,
    };
    expect(parseSettings(bacen, settings).tls).toMatchObject({
      passphrase,
      pkcs12: Buffer.from(pkcs12, 'base64'),
    });
  });

  test.each<[string, Record<string, unknown>, Date]>([
    ['PEM', {}, new Date(new X509Certificate(certificate).validTo)],
    [
      'PKCS #12',
      {
        certificate: undefined,
        privateKey: undefined,
        pkcs12: receiver.pkcs12,
        passphrase: receiver.passphrase,
      },
      new Date('2126-10-28T04:00:46Z'),
    ],
  ])('say when the certificate in %s expires', (_, changes, expiresAt) => {
    expect(bacen.certificateOf?.(parsed(changes))?.expiresAt).toEqual(expiresAt);
  });

  test('of the same API need no token URL', () => {
    const { baseUrl } = parsed({ preset: 'itau', baseUrl: undefined });
    expect(parsed({ preset: 'itau', baseUrl: `${baseUrl}/` }).tokenUrl).toMatch(/^https:\/\/sts\.itau/);
  });

  test.each([{}, { preset: 'efi' }])('of an older release (%j) are still valid', (preset) => {
    expect(parsed(preset)).toMatchObject({
      clientAuth: 'basic',
      tokenUrl: 'https://pix.bank.example/oauth/token',
      patchBaseUrl: 'https://pix.bank.example/v2',
      scope: '',
      query: {},
      headers: {},
      compareKey: true,
      notificationAuth: 'mtls',
    });
  });

  test.each([
    ['efi', 'https://pix.api.efipay.com.br/v2', 'https://pix.api.efipay.com.br/oauth/token'],
    ['itau', 'https://pix-pj.api.itau.com/regulatorio-pix/v2', 'https://sts.itau.com.br/as/token.oauth2'],
    ['banco-do-brasil', 'https://api-pix.bb.com.br/pix/v2', 'https://oauth.bb.com.br/oauth/token'],
    [
      'santander',
      'https://trust-pix.santander.com.br/api/v1',
      'https://trust-pix.santander.com.br/oauth/token',
    ],
    [
      'inter',
      'https://cdpj.partners.bancointer.com.br/pix/v2',
      'https://cdpj.partners.bancointer.com.br/oauth/v2/token',
    ],
    [
      'sicoob',
      'https://api.sicoob.com.br/pix/api/v2',
      'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
    ],
    ['sicredi', 'https://api-pix.sicredi.com.br/api/v2', 'https://api-pix.sicredi.com.br/oauth/token'],
    ['bradesco', 'https://qrpix.bradesco.com.br/v2', 'https://qrpix.bradesco.com.br/oauth/token'],
    ['c6', 'https://baas-api.c6bank.info/v2/pix', 'https://baas-api.c6bank.info/v1/auth'],
    [
      'pagbank',
      'https://secure.api.pagseguro.com/instant-payments',
      'https://secure.api.pagseguro.com/pix/oauth2',
    ],
  ])('of %s have the addresses of its production', (preset, baseUrl, tokenUrl) => {
    const appKey = preset === 'banco-do-brasil' ? 'key' : undefined;
    expect(parsed({ preset, baseUrl: undefined, appKey })).toMatchObject({ baseUrl, tokenUrl });
  });

  test('have the given addresses before those of the preset', () => {
    const given = {
      preset: 'santander',
      baseUrl: 'https://bank.example/pix/api/v1/',
      tokenUrl: 'https://login.bank.example/token/',
    };
    expect(parsed(given)).toMatchObject({
      baseUrl: 'https://bank.example/pix/api/v1',
      tokenUrl: 'https://login.bank.example/token/',
      patchBaseUrl: 'https://bank.example/api/v2',
    });
  });

  test('of a test environment sign in and cancel there, not in production', () => {
    const baseUrl = 'https://trust-pix-h.santander.com.br/api/v1';
    expect(parsed({ preset: 'santander', baseUrl })).toMatchObject({
      tokenUrl: 'https://trust-pix-h.santander.com.br/oauth/token',
      patchBaseUrl: 'https://trust-pix-h.santander.com.br/api/v2',
    });
  });

  test('need no secret where the certificate is enough', () => {
    const clientSecret = undefined;
    const sicoob = { preset: 'sicoob', baseUrl: undefined };
    expect(parsed({ ...sicoob, clientSecret }).clientAuth).toBe('none');
    expect(parsed({ clientAuth: 'none', clientSecret }).clientAuth).toBe('none');
    expect(violationOf({ ...sicoob, clientAuth: 'form', clientSecret })).toBe('clientSecret must be given');
  });

  test('put what a bank names itself where it belongs', () => {
    const production = { baseUrl: undefined };
    expect(parsed({ ...production, preset: 'banco-do-brasil', appKey: 'app' }).query).toEqual({
      'gw-dev-app-key': 'app',
    });
    expect(parsed({ preset: 'inter', accountNumber: '12345' }).headers).toEqual({
      'x-conta-corrente': '12345',
    });
    expect(parsed({ preset: 'inter' })).toMatchObject({ headers: {}, requestsPerMinute: 120 });
    expect(parsed({ ...production, preset: 'itau' }).headers).toEqual({ 'x-itau-apikey': 'Client_Id' });
  });

  test('add to the preset’s headers and query, and replace those of the same name', () => {
    const { headers, query } = parsed({
      preset: 'santander',
      headers: { 'x-application-key': 'other', 'X-Shop': '1' },
      query: { a: 'b' },
    });
    expect(headers).toEqual({ 'x-application-key': 'other', 'X-Shop': '1' });
    expect(query).toEqual({ a: 'b' });
  });

  test('override every value of the preset', () => {
    const own = {
      clientAuth: 'basic',
      tokenBody: 'json',
      scope: '',
      requestIdHeader: 'x-id',
      compareKey: false,
      patchBaseUrl: 'https://other.bank.example/v9',
      requestsPerMinute: 7,
    };
    expect(parsed({ preset: 'inter', ...own })).toMatchObject(own);
  });
});
