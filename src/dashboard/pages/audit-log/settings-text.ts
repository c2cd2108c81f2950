import { roleTexts } from '../../parts/role-texts.ts';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import type { Settings } from '../approvals/documents.ts';

const messages = texts(
  {
    changes: 'aprovação para alterações',
    above: (amount: string) => `aprovação para estornos acima de ${amount}`,
    limit: (role: string, amount: string) => `${role}: até ${amount} por dia`,
    factor: (names: string) => `verificação em duas etapas para ${names}`,
    none: 'sem regras',
  },
  {
    changes: 'approval for changes',
    above: (amount: string) => `approval for refunds above ${amount}`,
    limit: (role: string, amount: string) => `${role}: up to ${amount} per day`,
    factor: (names: string) => `two-step verification for ${names}`,
    none: 'no rules',
  },
);

/** Older entries lack `secondFactorRoles`. */
type LoggedSettings = Omit<Settings, 'secondFactorRoles'> & Partial<Settings>;

export const isSettings = (value: unknown): value is LoggedSettings =>
  typeof value === 'object' && value !== null && 'changesNeedApproval' in value && 'refundLimits' in value;

/** Summarizes the approval rules in one line. */
export function useSettingsText(): (settings: LoggedSettings) => string {
  const text = useTexts(messages);
  const roleNames = useTexts(roleTexts);
  const { money } = useFormats();
  return ({ changesNeedApproval, refundApprovalAbove: above, refundLimits, secondFactorRoles = [] }) => {
    const rules = [
      ...(changesNeedApproval ? [text.changes] : []),
      ...(above === null ? [] : [text.above(money(above))]),
      ...refundLimits.map(({ role, amountPerDay }) => text.limit(roleNames[role], money(amountPerDay))),
      ...(secondFactorRoles.length > 0
        ? [text.factor(secondFactorRoles.map((role) => roleNames[role]).join(', '))]
        : []),
    ];
    return rules.join('; ') || text.none;
  };
}
