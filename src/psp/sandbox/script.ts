import type { JsonText } from '../../core/base/json/json-text.ts';
import { isJsonObject } from '../../core/base/json/json-object.ts';

const scripts = ['reject', 'timeout', 'unavailable', 'timeout_then_created'] as const;

/** How a create should fail. */
export type SandboxScript = (typeof scripts)[number];

/** `metadata.sandbox`: one word, or a list with one entry per routing candidate. */
export function sandboxScript(metadata: JsonText | null, position: number): SandboxScript | undefined {
  if (!metadata?.text.includes('"sandbox"')) return undefined;
  const members: unknown = JSON.parse(metadata.text);
  const value = isJsonObject(members) && Object.hasOwn(members, 'sandbox') ? members['sandbox'] : undefined;
  const word: unknown = Array.isArray(value) ? value[position] : value;
  return scripts.find((script) => script === word);
}
