import { isStorableText } from './text.ts';
import type { JsonObject } from './payment.ts';

export const maximumMetadataBytes = 16_384;
export const maximumMetadataDepth = 32;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first rule that a metadata object breaks. Does not recurse deeper than the rule allows. */
export function metadataViolation(metadata: JsonObject): string | undefined {
  const violation = valueViolation(metadata, 1);
  if (violation) return violation;
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  return bytes > maximumMetadataBytes ? `must be at most ${maximumMetadataBytes} bytes of JSON` : undefined;
}

function valueViolation(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') {
    return isStorableText(value) ? undefined : 'must be valid Unicode without NUL';
  }
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must hold finite numbers only';
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maximumMetadataDepth) return `must be at most ${maximumMetadataDepth} levels deep`;
  for (const [name, member] of Object.entries(value)) {
    const violation = valueViolation(name, depth) ?? valueViolation(member, depth + 1);
    if (violation) return violation;
  }
  return undefined;
}
