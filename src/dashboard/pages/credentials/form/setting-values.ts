import type { SettingField } from '../base/documents.ts';

/** A member of an object of strings is kept as typed. The key tells rows apart. */
export interface Pair {
  key: number;
  name: string;
  value: string;
}

/** Texts are kept as typed; null removes the stored value. */
export type SettingValue = string | readonly Pair[] | null;

export type SettingValues = Readonly<Record<string, SettingValue>>;

/** Serves inputs that take a text. */
export const textOf = (value: SettingValue | undefined): string => (typeof value === 'string' ? value : '');

export const pairsOf = (value: SettingValue | undefined): readonly Pair[] =>
  typeof value === 'string' ? [] : (value ?? []);

/** A mistake is sent as typed, for the service to name it; nothing is sent when nothing was typed. */
function sentValue({ kind }: SettingField, value: SettingValue | undefined): unknown {
  if (value === null || value === undefined) return value;
  if (typeof value !== 'string') {
    const typed = value.filter(({ name, value: text }) => name || text);
    return typed.length > 0
      ? Object.fromEntries(typed.map(({ name, value: text }) => [name, text]))
      : undefined;
  }
  if (value === '') return undefined;
  if (kind === 'boolean') return value === 'true';
  return kind === 'number' && /^\d+$/.test(value) ? Number(value) : value;
}

/** Keeps the fields that are shown and have a value. */
export const sentSettings = (
  fields: readonly SettingField[],
  values: SettingValues,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const sent = sentValue(field, values[field.name]);
      return sent === undefined ? [] : [[field.name, sent]];
    }),
  );
