import { expect, test } from '@jest/globals';
import type { SettingField } from '../../src/domain/providers/setting-field.ts';
import { providers } from '../../src/psp/registry.ts';
import { settingFieldsOf } from '../../src/psp/kit/setting-fields.ts';

const fieldsOf = (provider: string): SettingField[] => {
  const schema = providers[provider]?.settingsSchema;
  if (!schema) throw new Error(`there is no provider ${provider}`);
  return settingFieldsOf(schema);
};

const names = (provider: string, isWanted: (field: SettingField) => boolean): string[] =>
  fieldsOf(provider)
    .filter(isWanted)
    .map(({ name }) => name);

test('a field tells its kind, whether it is secret and required, and what it is when left out', () => {
  expect(fieldsOf('mercadopago')).toEqual([
    {
      name: 'accessToken',
      kind: 'text',
      isSecret: true,
      isRequired: true,
      isFixed: false,
      options: [],
      defaultValue: null,
    },
    {
      name: 'webhookSecret',
      kind: 'text',
      isSecret: true,
      isRequired: true,
      isFixed: false,
      options: [],
      defaultValue: null,
    },
    {
      name: 'payerEmailFallback',
      kind: 'email',
      isSecret: false,
      isRequired: false,
      isFixed: false,
      options: [],
      defaultValue: null,
    },
    {
      name: 'baseUrl',
      kind: 'url',
      isSecret: false,
      isRequired: false,
      isFixed: false,
      options: [],
      defaultValue: 'https://api.mercadopago.com',
    },
  ]);
});

test('a choice tells its options', () => {
  expect(fieldsOf('bacen').find(({ name }) => name === 'notificationAuth')).toMatchObject({
    kind: 'choice',
    options: ['mtls', 'urlToken'],
    defaultValue: 'mtls',
    isRequired: false,
  });
});

test('certificates and keys are files', () => {
  expect(names('bacen', ({ kind }) => kind === 'pem')).toEqual(['certificate', 'privateKey', 'ca']);
  expect(names('bacen', ({ kind }) => kind === 'base64')).toEqual(['pkcs12']);
});

test.each([
  ['asaas', ['apiKey', 'webhookToken']],
  ['bacen', ['clientId', 'clientSecret', 'privateKey', 'pkcs12', 'passphrase']],
  ['mercadopago', ['accessToken', 'webhookSecret']],
  ['pagarme', ['secretKey', 'webhookUser', 'webhookPassword']],
  ['sandbox', []],
  ['woovi', ['appId']],
])('the secrets of %s are %j', (provider, secrets) => {
  expect(names(provider, ({ isSecret }) => isSecret)).toEqual(secrets);
});

test('the Pix key of a charge says whose it is, and cannot be changed', () => {
  expect(names('bacen', ({ isFixed }) => isFixed)).toEqual(['pixKey']);
});

test('every provider is described', () => {
  for (const provider of Object.keys(providers)) expect(() => fieldsOf(provider)).not.toThrow();
});
