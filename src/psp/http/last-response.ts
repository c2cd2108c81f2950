import { keptBodyLength, type PspResponse } from '../../core/providers/rules/psp-error.ts';

const responses = new WeakMap<AbortSignal, PspResponse>();

/** The requests of an operation share its signal, and each forgets the response to the one before. */
export const forgetResponse = (signal: AbortSignal): void => void responses.delete(signal);

export function noteResponse(signal: AbortSignal, { status, text }: { status: number; text: string }): void {
  responses.set(signal, { status, body: text.slice(0, keptBodyLength) });
}

/**
 * The response that an operation could not read, if it ended without a known outcome. A response with which the PSP says that
 * it fails or has too many requests does not count as unread.
 */
export function unreadResponse(signal: AbortSignal): PspResponse | undefined {
  const response = responses.get(signal);
  return response && response.status < 500 && response.status !== 429 ? response : undefined;
}
