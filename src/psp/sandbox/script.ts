import type { JsonObject } from '../../domain/payment.ts';

const scripts = ['reject', 'timeout', 'unavailable', 'timeout_then_created'] as const;

/** How a create is to fail. */
export type SandboxScript = (typeof scripts)[number];

/** `metadata.sandbox`: one word, or a list with one entry for each routing candidate. */
export function sandboxScript(metadata: JsonObject | null, position: number): SandboxScript | undefined {
  const value = metadata && Object.hasOwn(metadata, 'sandbox') ? metadata['sandbox'] : undefined;
  const word: unknown = Array.isArray(value) ? value[position] : value;
  return scripts.find((script) => script === word);
}
