import type { z } from 'zod';
import { asaas } from './asaas/adapter.ts';
import { bacen } from './bacen/adapter.ts';
import { mercadopago } from './mercadopago/adapter.ts';
import { pagarme } from './pagarme/adapter.ts';
import type { PspProvider } from './kit/provider.ts';
import { sandbox } from './sandbox/adapter.ts';
import { woovi } from './woovi/adapter.ts';

/** Every PSP that a credential can name, one line each. */
export const providers: Readonly<Record<string, PspProvider>> = {
  sandbox,
  bacen,
  mercadopago,
  asaas,
  woovi,
  pagarme,
};

export const findProvider = (name: string): PspProvider | undefined =>
  Object.hasOwn(providers, name) ? providers[name] : undefined;

/** The message names each member of the settings and the rule that it breaks, never a value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Throws SettingsError. */
export function parseSettings<Settings>(provider: PspProvider<Settings>, input: unknown): Settings {
  const result = provider.settingsSchema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  throw new SettingsError([...new Set(result.error.issues.map(violation))].join('; '));
}

function violation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: no such setting`;
  const name = issue.path.map(String).join('.') || 'settings';
  return `${name} ${issue.input === undefined ? 'must be given' : issue.message}`;
}
