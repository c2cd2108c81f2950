import { getBankByIspb } from '@brazilian-utils/brazilian-utils';
import { isEndToEndId } from './end-to-end-id.ts';

/** An institution of the Brazilian payment system. */
export interface Institution {
  /** Eight digits, or letters too. */
  ispb: string;
  /** Name in the Banco Central's list; null for an institution that the package's version of the list does not have. */
  name: string | null;
}

/**
 * Who generated an end-to-end id: the payer's institution, or whoever initiated the Pix for the payer (Manual de
 * Padrões para Iniciação do Pix). Null for anything else.
 */
export function institutionOf(endToEndId: string): Institution | null {
  const [, ispb] = /^E([0-9A-Z]{8})/.exec(endToEndId) ?? [];
  if (!ispb || !isEndToEndId(endToEndId)) return null;
  return { ispb, name: getBankByIspb(ispb)?.name ?? null };
}
