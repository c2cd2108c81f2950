import { expect, test } from '@jest/globals';
import type { SettingField } from '../../src/domain/providers/setting-field.ts';
import { providers } from '../../src/psp/providers.ts';
import { settingFieldsOf } from '../../src/psp/kit/setting-fields.ts';

const fieldsOf = (provider: string): SettingField[] => {
  const definition = providers[provider];
  if (!definition) throw new Error(`there is no provider ${provider}`);
  return settingFieldsOf(definition);
};

const names = (provider: string, isWanted: (field: SettingField) => boolean): string[] =>
  fieldsOf(provider)
    .filter(isWanted)
    .map(({ name }) => name);

test('a field has a kind, a default, and is secret or required', () => {
  const fields = fieldsOf('mercadopago').map(({ label: _label, help: _help, ...field }) => field);
  expect(fields).toEqual([
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

test('a field has the label and the help of its provider, in both languages', () => {
  expect(fieldsOf('mercadopago').find(({ name }) => name === 'payerEmailFallback')).toMatchObject({
    label: { pt: 'E-mail para pagadores sem e-mail', en: 'E-mail for payers without one' },
    help: {
      pt: 'O Mercado Pago exige um e-mail; este é usado quando a cobrança não informa nenhum.',
      en: 'Mercado Pago requires an e-mail; this one is used when the payment has none.',
    },
  });
});

test.each(Object.entries(providers))('%s has a display name and a text for each setting', (_, provider) => {
  expect(provider.about.displayName).toMatch(/\S/);
  const named = settingFieldsOf(provider).map(({ name }) => name);
  expect(Object.keys(provider.about.settings).toSorted()).toEqual(named.toSorted());
  for (const { label, help } of Object.values(provider.about.settings)) {
    for (const text of [label.pt, label.en, help?.pt ?? '-', help?.en ?? '-']) expect(text).toMatch(/\S/);
  }
});
