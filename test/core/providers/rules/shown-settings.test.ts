import { describe, expect, test } from '@jest/globals';
import { shownSettings } from '../../../../src/core/providers/rules/shown-settings.ts';
import { providerSettings } from '../../../../src/psp/providers.ts';

const { fields = [] } = providerSettings().find(({ provider }) => provider === 'bacen') ?? {};

const shown = (chosen: Record<string, string>) => shownSettings(fields, (name) => chosen[name]);

const setting = (name: string, chosen: Record<string, string>) =>
  shown(chosen).find(({ field }) => field.name === name);

describe('a bank that signs in with a secret', () => {
  test('requires it, and the settings of its own', () => {
    const chosen = { preset: 'banco-do-brasil' };
    expect(setting('clientSecret', chosen)).toMatchObject({ isRequired: true });
    expect(setting('appKey', chosen)).toMatchObject({ isRequired: true });
    expect(setting('accountNumber', chosen)).toBeUndefined();
    expect(setting('baseUrl', chosen)).toMatchObject({
      isRequired: false,
      defaultValue: 'https://api-pix.bb.com.br/pix/v2',
    });
  });

  test('has no use for it once the certificate is enough', () => {
    expect(setting('clientSecret', { preset: 'itau', clientAuth: 'none' })).toBeUndefined();
  });
});

describe('a bank that signs in by certificate alone', () => {
  test('has no secret', () => {
    expect(setting('clientSecret', { preset: 'sicoob' })).toBeUndefined();
  });

  test('requires one where the sign-in is overridden', () => {
    const chosen = { preset: 'sicoob', clientAuth: 'form' };
    expect(setting('clientSecret', chosen)).toMatchObject({ isRequired: true });
  });
});

test.each<Record<string, string>>([{}, { preset: '' }])(
  'a bank without a preset (%j) requires its address',
  (chosen) => {
    expect(setting('baseUrl', chosen)).toMatchObject({ isRequired: true, defaultValue: null });
    expect(setting('appKey', chosen)).toBeUndefined();
    expect(setting('clientAuth', chosen)).toMatchObject({ defaultValue: 'basic' });
  },
);

test('the settings keep their order', () => {
  const names = shown({ preset: 'inter' }).map(({ field }) => field.name);
  expect(names).toEqual(fields.map(({ name }) => name).filter((name) => name !== 'appKey'));
});
