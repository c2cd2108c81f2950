// Finds the providers of the registry by name, and checks the settings of their credentials. Calls nobody.
import type { z } from 'zod';
import { type Problem } from '../core/base/problems/rules.ts';
import { brokenRuleOf } from '../core/base/problems/zod-issue.ts';
import type { ProviderSettings } from '../core/providers/rules/setting-field.ts';
import type { PspProvider } from './kit/provider.ts';
import { settingFieldsOf } from './kit/setting-fields.ts';
import * as registry from './registry.ts';
import { verifiedAt } from './verified.ts';

export const providers: Readonly<Record<string, PspProvider>> = registry;

/** The providers and the settings of their credentials, as people see them. */
export const providerSettings = (): ProviderSettings[] =>
  Object.entries(providers).map(([provider, definition]) => ({
    provider,
    displayName: definition.about.displayName,
    webhookRegistration: definition.capabilities.webhookRegistration,
    webhookSteps: definition.about.webhookSteps ?? null,
    verified: verifiedAt(provider),
    fields: settingFieldsOf(definition),
  }));

export const findProvider = (name: string): PspProvider | undefined =>
  Object.hasOwn(providers, name) ? providers[name] : undefined;

/** The message names each invalid setting and the rule it breaks, never a value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly Problem[];

  constructor(message: string, ...problems: readonly Problem[]) {
    super(message);
    this.problems = problems;
  }
}

/** Throws SettingsError. */
export function parseSettings<Settings>(provider: PspProvider<Settings>, input: unknown): Settings {
  const result = provider.settingsSchema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  const { issues } = result.error;
  throw new SettingsError([...new Set(issues.map(violation))].join('; '), ...issues.map(problemOf));
}

/** Ends before a name that the caller may have made up, which could be anything, even a secret in the wrong place. */
function safePath(path: readonly PropertyKey[]): string[] {
  const names = path.map(String);
  const end = names.findIndex((name) => !/^[\w-]{1,60}$/.test(name));
  return end < 0 ? names : names.slice(0, end);
}

const nameOf = ({ path }: z.core.$ZodIssue): string => safePath(path).join('.') || 'settings';

const problemOf = (issue: z.core.$ZodIssue): Problem => ({ path: nameOf(issue), ...brokenRuleOf(issue) });

function violation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: no such setting`;
  const name = nameOf(issue);
  return `${name} ${issue.input === undefined ? 'must be given' : issue.message}`;
}
