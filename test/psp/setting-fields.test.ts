import { describe, expect, test } from '@jest/globals';
import type { SettingField } from '../../src/core/providers/rules/setting-field.ts';
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
      isAddress: false,
      isGenerated: false,
      comesWithWebhook: false,
      isAdvanced: false,
      options: [],
      optionLabels: [],
      defaultValue: null,
      presets: [],
      unless: null,
    },
    {
      name: 'webhookSecret',
      kind: 'text',
      isSecret: true,
      isRequired: false,
      isFixed: false,
      isAddress: false,
      isGenerated: false,
      comesWithWebhook: true,
      isAdvanced: false,
      options: [],
      optionLabels: [],
      defaultValue: null,
      presets: [],
      unless: null,
    },
    {
      name: 'payerEmailFallback',
      kind: 'email',
      isSecret: false,
      isRequired: false,
      isFixed: false,
      isAddress: false,
      isGenerated: false,
      comesWithWebhook: false,
      isAdvanced: false,
      options: [],
      optionLabels: [],
      defaultValue: null,
      presets: [],
      unless: null,
    },
    {
      name: 'baseUrl',
      kind: 'url',
      isSecret: false,
      isRequired: false,
      isFixed: false,
      isAddress: true,
      isGenerated: false,
      comesWithWebhook: false,
      isAdvanced: false,
      options: [],
      optionLabels: [],
      defaultValue: 'https://api.mercadopago.com',
      presets: [],
      unless: null,
    },
  ]);
});

test('what the service makes up, or what exists only once the webhook does, is not required', () => {
  expect(fieldsOf('asaas').find(({ name }) => name === 'webhookToken')).toMatchObject({
    isRequired: false,
    isGenerated: true,
  });
  const later = (provider: string) => names(provider, ({ comesWithWebhook }) => comesWithWebhook);
  expect(Object.keys(providers).filter((provider) => later(provider).length > 0)).toEqual(['mercadopago']);
});

test('a choice tells its options', () => {
  expect(fieldsOf('bacen').find(({ name }) => name === 'notificationAuth')).toMatchObject({
    kind: 'choice',
    options: ['mtls', 'urlToken'],
    optionLabels: [
      { pt: 'Certificado do banco (mTLS)', en: "The bank's certificate (mTLS)" },
      { pt: 'Token secreto na URL de notificação', en: 'Secret token in the notification URL' },
    ],
    defaultValue: 'mtls',
    isRequired: false,
  });
  expect(fieldsOf('bacen').find(({ name }) => name === 'preset')?.optionLabels[2]?.en).toBe(
    'Banco do Brasil',
  );
});

test('a number, a decision and an object of strings have kinds of their own', () => {
  expect(names('bacen', ({ kind }) => kind === 'number')).toEqual(['requestsPerMinute']);
  expect(names('bacen', ({ kind }) => kind === 'boolean')).toEqual(['compareKey']);
  expect(names('bacen', ({ kind }) => kind === 'pairs')).toEqual(['tokenQuery', 'query', 'headers']);
});

describe('what a preset decides', () => {
  const withPreset = (name: string, preset: string | null) => {
    const field = fieldsOf('bacen').find((each) => each.name === name);
    return field?.presets.find((each) => each.preset === preset);
  };

  test.each([
    ['appKey', 'banco-do-brasil', { isShown: true, isRequired: true }],
    ['appKey', 'itau', { isShown: false, isRequired: false }],
    ['appKey', null, { isShown: false }],
    ['accountNumber', 'inter', { isShown: true, isRequired: false }],
    ['clientSecret', 'sicoob', { isShown: false, isRequired: false }],
    ['clientSecret', null, { isShown: true, isRequired: true }],
    ['baseUrl', null, { isRequired: true, defaultValue: null }],
    ['baseUrl', 'efi', { isRequired: false, defaultValue: 'https://pix.api.efipay.com.br/v2' }],
    ['tokenUrl', 'itau', { defaultValue: 'https://sts.itau.com.br/as/token.oauth2' }],
    ['patchBaseUrl', 'santander', { defaultValue: 'https://trust-pix.santander.com.br/api/v2' }],
    ['headers', 'itau', { defaultValue: '{"x-itau-apikey":"{clientId}"}' }],
    ['requestsPerMinute', 'inter', { defaultValue: '120' }],
    ['compareKey', 'pagbank', { defaultValue: 'false' }],
    ['compareKey', null, { defaultValue: 'true' }],
  ])('about %s with %s', (name, preset, expected) => {
    expect(withPreset(name, preset)).toMatchObject(expected);
  });

  test('says for every preset and for none', () => {
    const options = fieldsOf('bacen').find(({ name }) => name === 'preset')?.options ?? [];
    for (const { presets } of fieldsOf('bacen').filter((field) => field.presets.length > 0)) {
      expect(presets.map(({ preset }) => preset)).toEqual([null, ...options]);
    }
  });

  test('depends on nothing else, except where a setting says so', () => {
    expect(names('bacen', ({ unless }) => unless !== null)).toEqual(['clientSecret']);
  });
});

test('certificates and keys are files', () => {
  expect(names('bacen', ({ kind }) => kind === 'pem')).toEqual(['certificate', 'privateKey', 'ca']);
  expect(names('bacen', ({ kind }) => kind === 'base64')).toEqual(['pkcs12']);
});

test.each([
  ['asaas', ['apiKey', 'webhookToken']],
  [
    'bacen',
    [
      'clientId',
      'clientSecret',
      'appKey',
      'privateKey',
      'pkcs12',
      'passphrase',
      'tokenQuery',
      'query',
      'headers',
    ],
  ],
  ['mercadopago', ['accessToken', 'webhookSecret']],
  ['pagarme', ['secretKey', 'webhookUser', 'webhookPassword']],
  ['pagbank', ['token']],
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

test.each(Object.entries(providers))(
  '%s has a display name, and a label and help for each setting',
  (_, provider) => {
    expect(provider.about.displayName).toMatch(/\S/);
    const named = settingFieldsOf(provider).map(({ name }) => name);
    expect(Object.keys(provider.about.settings).toSorted()).toEqual(named.toSorted());
    for (const { label, help, options = {} } of Object.values(provider.about.settings)) {
      for (const { pt, en } of [label, help ?? { pt: '', en: '' }, ...Object.values(options)]) {
        for (const text of [pt, en]) expect(text).toMatch(/\S/);
      }
    }
  },
);
