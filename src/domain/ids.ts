import { v7 } from 'uuid';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID v7, so that ids sort by creation time. */
export const newId = (at: Date): string => v7({ msecs: at.getTime() });

export const isUuid = (text: string): boolean => uuid.test(text);

/** The smallest id that `newId(at)` can return. */
export const firstIdAt = (at: Date): string => {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/** When `newId` created the id. */
export const idTimestamp = (id: string): Date => new Date(parseInt(id.slice(0, 13).replace('-', ''), 16));

/** The txid of a charge. The Banco Central allows 26 to 35 characters of `[a-zA-Z0-9]`; ours has 32. */
export const transactionIdOf = (attemptId: string): string => attemptId.replaceAll('-', '');

/** Undefined when the text cannot be one of our transaction ids. */
export const attemptIdOf = (transactionId: string): string | undefined =>
  /^[0-9a-f]{32}$/i.test(transactionId)
    ? transactionId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toLowerCase()
    : undefined;
