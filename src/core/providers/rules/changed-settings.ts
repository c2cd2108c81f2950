import { badRequest } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json-object.ts';
import type { SettingField } from './setting-field.ts';
import { problem } from '../../base/problems/rules.ts';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Secrets that the service makes up are made where there are none. */
export function withGenerated(
  fields: readonly SettingField[],
  settings: JsonObject,
  generate: () => string,
): JsonObject {
  const missing = fields.filter(({ isGenerated, name }) => isGenerated && settings[name] === undefined);
  return { ...settings, ...Object.fromEntries(missing.map(({ name }) => [name, generate()])) };
}

/**
 * Merges the given settings into the stored ones; null removes a setting. Fails with `invalid_request` for a change that would
 * make it another account. A secret that the service has made up is made anew for another address.
 */
export function changeSettings(
  fields: readonly SettingField[],
  stored: JsonObject,
  given: JsonObject,
  generate: () => string,
): { settings: JsonObject; changed: string[] } {
  // Undefined rather than absent, so that removing an unknown setting is refused as well.
  const over = Object.entries(given).map(([name, value]) => [name, value ?? undefined]);
  const merged: JsonObject = { ...stored, ...Object.fromEntries(over) };
  const changedFields = fields.filter(({ name }) => !isSame(merged[name], stored[name]));
  const identity = changedFields.find(({ isFixed }) => isFixed);
  if (identity) {
    throw badRequest(
      `${identity.name} cannot be changed because it identifies the account's charges: add another credential instead`,
      problem(identity.name, 'fixed'),
    );
  }
  // Otherwise, someone who may edit a credential but not read its secrets could have them sent to any host.
  const address = changedFields.find(({ isAddress }) => isAddress);
  const secrets = fields.filter(({ isSecret, name }) => isSecret && name in stored && !(name in given));
  const kept = secrets.filter(({ isGenerated }) => !isGenerated);
  if (address && kept.length > 0) {
    const names = kept.map(({ name }) => name).join(', ');
    throw badRequest(
      `${names} must be given together with ${address.name}: stored secrets are never sent to a new address`,
      ...kept.map(({ name }) => problem(name, 'together_with', { other: address.name })),
    );
  }
  const renewed = address ? secrets.map(({ name }) => [name, undefined] as const) : [];
  const settings = withGenerated(fields, { ...merged, ...Object.fromEntries(renewed) }, generate);
  const changed = Object.keys(settings).filter((name) => !isSame(settings[name], stored[name]));
  return { settings, changed };
}
