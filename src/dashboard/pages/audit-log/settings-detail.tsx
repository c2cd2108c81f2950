import type { ReactNode } from 'react';
import { RoleName } from '../../parts/roles/role-name.tsx';
import { separated } from '../../parts/roles/separated.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { Settings } from '../approvals/documents.ts';

const messages = texts(
  {
    changes: 'aprovação para alterações',
    above: (amount: string) => `aprovação para estornos acima de ${amount}`,
    limit: (amount: string) => `: até ${amount} por dia`,
    factor: 'verificação em duas etapas para',
    none: 'sem regras',
  },
  {
    changes: 'approval for changes',
    above: (amount: string) => `approval for refunds above ${amount}`,
    limit: (amount: string) => `: up to ${amount} per day`,
    factor: 'two-step verification for',
    none: 'no rules',
  },
);

/** Older entries lack `secondFactorRoles`. */
type LoggedSettings = Omit<Settings, 'secondFactorRoles'> & Partial<Settings>;

export const isSettings = (value: unknown): value is LoggedSettings =>
  typeof value === 'object' && value !== null && 'changesNeedApproval' in value && 'refundLimits' in value;

/** Summarizes the approval rules in one line. */
export function SettingsDetail({ settings }: { settings: LoggedSettings }) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const { changesNeedApproval, refundApprovalAbove: above, refundLimits, secondFactorRoles = [] } = settings;
  const factorRoles = secondFactorRoles.map((role) => <RoleName key={role} role={role} />);
  const rules: ReactNode[] = [
    ...(changesNeedApproval ? [text.changes] : []),
    ...(above === null ? [] : [text.above(money(above))]),
    ...refundLimits.map(({ role, amountPerDay }) => (
      <span key={role}>
        <RoleName role={role} />
        {text.limit(money(amountPerDay))}
      </span>
    )),
    ...(factorRoles.length > 0
      ? [
          <span key="factor">
            {text.factor} {separated(factorRoles, ', ')}
          </span>,
        ]
      : []),
  ];
  return rules.length > 0 ? separated(rules, '; ') : text.none;
}
