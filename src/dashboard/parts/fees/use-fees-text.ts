import { texts, useFormats, useTexts } from '../../base/language.tsx';

const messages = texts(
  {
    free: 'sem tarifa',
    minimum: (amount: string) => `no mínimo ${amount}`,
    maximum: (amount: string) => `no máximo ${amount}`,
  },
  { free: 'free', minimum: (amount) => `at least ${amount}`, maximum: (amount) => `at most ${amount}` },
);

export interface ShownFees {
  percent: number;
  fixed: number;
  minimum: number | null;
  maximum: number | null;
}

export const isFees = (value: unknown): value is ShownFees =>
  typeof value === 'object' && value !== null && 'percent' in value && 'fixed' in value;

/** What a received Pix costs, in one line. */
export function useFeesText(): (fees: ShownFees) => string {
  const text = useTexts(messages);
  const { money, feePercent } = useFormats();
  return ({ percent, fixed, minimum, maximum }) => {
    const parts = [...(percent > 0 ? [feePercent(percent)] : []), ...(fixed > 0 ? [money(fixed)] : [])];
    return [
      parts.join(' + ') || text.free,
      ...(minimum === null ? [] : [text.minimum(money(minimum))]),
      ...(maximum === null ? [] : [text.maximum(money(maximum))]),
    ].join(', ');
  };
}
