import type { ReactNode } from 'react';
import { RoleName } from '../../parts/roles/role-name.tsx';
import { separated } from '../../parts/roles/separated.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { Settings } from '../approvals/documents.ts';

const messages = texts(
  {
    changes: 'aprovação para alterações',
    endings: 'aprovação para cancelar recorrências',
    above: (amount: string) => `aprovação para estornos acima de ${amount}`,
    limit: (amount: string) => `: até ${amount} por dia`,
    factor: 'verificação em duas etapas para',
    requests: (limit: string) => `até ${limit} requisições por minuto e chave`,
    other: { flag: 'alerta se outra pessoa pagar', refund: 'estorno se outra pessoa pagar' },
    none: 'sem regras',
  },
  {
    changes: 'approval for changes',
    endings: 'approval to cancel recurrences',
    above: (amount: string) => `approval for refunds above ${amount}`,
    limit: (amount: string) => `: up to ${amount} per day`,
    factor: 'two-step verification for',
    requests: (limit: string) => `up to ${limit} requests per minute and key`,
    other: { flag: 'review if somebody else pays', refund: 'refund if somebody else pays' },
    none: 'no rules',
  },
);

type Later = 'recurrenceEndingsNeedApproval' | 'secondFactorRoles' | 'otherPayer' | 'rateLimitPerMinute';

/** Older entries lack what came later. */
type LoggedSettings = Omit<Settings, Later> & Partial<Settings>;

export const isSettings = (value: unknown): value is LoggedSettings =>
  typeof value === 'object' && value !== null && 'changesNeedApproval' in value && 'refundLimits' in value;

/** Summarizes the settings in one line. */
export function SettingsDetail({ settings }: { settings: LoggedSettings }) {
  const text = useTexts(messages);
  const { money, count } = useFormats();
  const {
    refundApprovalAbove: above,
    refundLimits,
    secondFactorRoles = [],
    otherPayer = 'ignore',
    rateLimitPerMinute: requests = null,
  } = settings;
  const factorRoles = secondFactorRoles.map((role) => <RoleName key={role} role={role} />);
  const rules: ReactNode[] = [
    ...(settings.changesNeedApproval ? [text.changes] : []),
    ...(settings.recurrenceEndingsNeedApproval ? [text.endings] : []),
    ...(otherPayer === 'ignore' ? [] : [text.other[otherPayer]]),
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
    ...(requests === null ? [] : [text.requests(count(requests))]),
  ];
  return rules.length > 0 ? separated(rules, '; ') : text.none;
}
