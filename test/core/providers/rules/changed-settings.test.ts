import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../src/core/base/errors.ts';
import { changeSettings } from '../../../../src/core/providers/rules/changed-settings.ts';
import { providers } from '../../../../src/psp/providers.ts';
import { settingFieldsOf } from '../../../../src/psp/kit/setting-fields.ts';

const fields = settingFieldsOf(providers['bacen'] ?? (undefined as never));
const stored = {
  preset: 'efi',
  clientId: 'id',
  clientSecret: 'secret',
  headers: { 'x-a': '1' },
  pixKey: 'a@b.example',
  compareKey: true,
};

/** A bank's secrets are all its own. */
const nothing = () => {
  throw new Error('nothing is made up');
};

const refusalOf = (given: Record<string, never>): string => {
  try {
    changeSettings(fields, stored, given, nothing);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    return (error as Error).message;
  }
};

describe('changed settings', () => {
  test.each(['preset', 'baseUrl', 'tokenUrl', 'patchBaseUrl'])('need every secret for another %s', (name) => {
    expect(refusalOf({ [name]: 'https://elsewhere.example' } as never)).toBe(
      `clientId, clientSecret, headers must be given together with ${name}: stored secrets are never sent to a new address`,
    );
    expect(refusalOf({ [name]: 'x', clientId: 'id', clientSecret: 'y', headers: {} } as never)).toBe('');
  });

  test('may name another header without its secret neighbours', () => {
    expect(changeSettings(fields, stored, { headers: { 'x-b': '2' } as never }, nothing)).toMatchObject({
      settings: { ...stored, headers: { 'x-b': '2' } },
      changed: ['headers'],
    });
  });

  test('that are the same are no change', () => {
    expect(
      changeSettings(fields, stored, { headers: { 'x-a': '1' } as never, compareKey: true }, nothing).changed,
    ).toEqual([]);
  });

  test('keep the Pix key', () => {
    expect(refusalOf({ pixKey: 'c@d.example' } as never)).toMatch(/^pixKey cannot be changed/);
  });
});
