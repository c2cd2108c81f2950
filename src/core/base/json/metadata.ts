import { inexactNumberMessage } from './exact-json.ts';
import { isStorableText } from '../text.ts';
import type { JsonObject } from './json-object.ts';

const maximumMetadataBytes = 16_384;
export const maximumMetadataDepth = 32;
/** Objects and arrays at every level count. */
export const maximumMetadataMembers = 1_000;

export interface MetadataViolation {
  /** Path within the metadata, when a single value breaks the rule. */
  path: string[];
  rule: string;
}

/** Returns the first rule that the metadata breaks. Never recurses deeper than the limit. */
export function metadataViolation(metadata: JsonObject): MetadataViolation | undefined {
  let members = 0;

  function violationOf(value: unknown, path: string[]): MetadataViolation | undefined {
    const broken = (rule: string) => ({ path: [], rule });
    if (typeof value === 'symbol') return { path, rule: inexactNumberMessage(value) };
    if (typeof value === 'string') {
      return isStorableText(value) ? undefined : broken('must be valid Unicode without NUL');
    }
    if (typeof value === 'number' && !Number.isFinite(value))
      return broken('must contain finite numbers only');
    if (typeof value !== 'object' || value === null) return undefined;
    if (path.length >= maximumMetadataDepth) {
      return broken(`must be at most ${maximumMetadataDepth} levels deep`);
    }
    const entries = Object.entries(value);
    members += entries.length;
    if (members > maximumMetadataMembers) {
      return broken(`must have at most ${maximumMetadataMembers} members in total`);
    }
    for (const [name, member] of entries) {
      const violation = violationOf(name, path) ?? violationOf(member, [...path, name]);
      if (violation) return violation;
    }
    return undefined;
  }

  const violation = violationOf(metadata, []);
  if (violation) return violation;
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  return bytes > maximumMetadataBytes
    ? { path: [], rule: `must be at most ${maximumMetadataBytes} bytes of JSON` }
    : undefined;
}
