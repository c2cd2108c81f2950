import { badRequest } from '../errors.ts';
import type { JsonObject } from '../payments/payment.ts';
import type { SettingField } from './setting-field.ts';

/**
 * What is given over what is stored, member by member; null takes a member away. Fails with a 400 for what
 * would make another account of it.
 */
export function changeSettings(
  fields: readonly SettingField[],
  stored: JsonObject,
  given: JsonObject,
): { settings: JsonObject; changed: string[] } {
  // Undefined and not left out: a member that no account has is refused also when it is taken away.
  const over = Object.entries(given).map(([name, value]) => [name, value ?? undefined]);
  const settings: JsonObject = { ...stored, ...Object.fromEntries(over) };
  const changed = Object.keys(settings).filter((name) => settings[name] !== stored[name]);
  const changedFields = fields.filter(({ name }) => changed.includes(name));
  const identity = changedFields.find(({ isFixed }) => isFixed);
  if (identity) {
    throw badRequest(
      `${identity.name} cannot be changed: its charges are known by it; add another credential`,
    );
  }
  // Else whoever may change an account, but was never told its secrets, could have them sent to any host.
  const address = changedFields.find(({ kind }) => kind === 'url');
  const kept = fields.filter(({ isSecret, name }) => isSecret && name in stored && !(name in given));
  if (address && kept.length > 0) {
    const names = kept.map(({ name }) => name).join(', ');
    throw badRequest(
      `${names} must be given with ${address.name}: no stored secret is sent to a new address`,
    );
  }
  return { settings, changed };
}
