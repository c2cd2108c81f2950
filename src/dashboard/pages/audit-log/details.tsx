import { Anchor, Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type ApprovableAction, approvableActions } from '../../../core/people/rules/approval.ts';
import { isRole } from '../../../core/base/roles.ts';
import { shortUrl } from '../../../core/webhooks/rules/short-url.ts';
import { isFees, useFeesText } from '../../parts/fees/use-fees-text.ts';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { LineText, WideDash } from '../../ui/clipped-text.tsx';
import { Copyable } from '../../ui/copying/copy-button.tsx';
import { RoleName } from '../../parts/roles/role-name.tsx';
import { separated } from '../../parts/roles/separated.ts';
import { requestTexts } from '../approvals/request-texts.ts';
import { isRules } from '../rule-sets/base/accounts.ts';
import { useWorkplace, workplacePath } from '../../base/use-workplace.ts';
import { detailTexts } from './detail-texts.ts';
import type { AuditEntry } from './documents.ts';
import { shortId, useRulesText } from './rules-text.ts';
import { isSettings, SettingsDetail } from './settings-detail.tsx';

const messages = texts(
  {
    yes: 'sim',
    no: 'não',
    none: 'somente leitura',
    anywhere: 'todos',
    test: 'teste',
    live: 'produção',
    password: 'senha',
    totp: 'senha e aplicativo autenticador',
    backup_code: 'senha e código de reserva',
    identity_provider: 'provedor de identidade',
    subject: 'ID',
  },
  {
    yes: 'yes',
    no: 'no',
    none: 'read-only',
    anywhere: 'all',
    test: 'test',
    live: 'live',
    password: 'password',
    totp: 'password and authenticator app',
    backup_code: 'password and backup code',
    identity_provider: 'identity provider',
    subject: 'ID',
  },
);

const words = ['test', 'live', 'password', 'totp', 'backup_code', 'identity_provider'] as const;

const isWord = (value: unknown): value is (typeof words)[number] => words.some((word) => word === value);

const isApprovable = (value: unknown): value is ApprovableAction =>
  typeof value === 'string' && value in approvableActions;

interface LinksProps {
  to: 'payments' | 'recurrences';
  ids: readonly string[];
  mode: 'test' | 'live';
}

function PageLinks({ to, ids, mode }: LinksProps) {
  const { organizationId } = useWorkplace();
  const pages = `~/dashboard${workplacePath({ organizationId, mode })}/${to}`;
  const links = ids.map((id) => (
    <Anchor
      key={id}
      component={Link}
      href={`${pages}/${id}`}
      size="sm"
      title={id}
      style={{ whiteSpace: 'nowrap' }}
    >
      {shortId(id)}
    </Anchor>
  ));
  return separated(links, ', ');
}

/** Formats a detail by its name, or by its value where that is enough. */
function useDetail(mode: 'test' | 'live'): (name: string, value: unknown) => ReactNode {
  const text = useTexts(messages);
  const rulesText = useRulesText();
  const feesText = useFeesText();
  const providerName = useProviderName();
  const requests = useTexts(requestTexts);
  const { money, dateTime } = useFormats();
  const emptyTexts: Readonly<Record<string, string>> = { permissions: text.none, allowedIps: text.anywhere };
  return (name, value) => {
    if (name === 'amountInCents') return money(Number(value) / 100);
    if (name === 'amount' || name === 'refundLimitPerDay') return money(Number(value));
    if (/^(since|(created|paid)(From|To))$/.test(name)) return dateTime(String(value));
    if (name === 'provider') return providerName(String(value));
    if (name === 'change' && isApprovable(value)) return requests[value];
    if (name === 'subject') return shortId(String(value));
    if (name === 'url') return shortUrl(String(value));
    if ((name === 'payments' || name === 'recurrences') && Array.isArray(value))
      return <PageLinks to={name} ids={value.map(String)} mode={mode} />;
    if (isWord(value)) return text[value];
    if (isRole(value)) return <RoleName role={value} />;
    if (isRules(value)) return rulesText(value);
    if (isFees(value)) return feesText(value);
    if (isSettings(value)) return <SettingsDetail settings={value} />;
    if (typeof value === 'boolean') return value ? text.yes : text.no;
    if (Array.isArray(value)) return value.join(', ') || (emptyTexts[name] ?? '—');
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
}

/** The old value (from) comes before the new one (to). */
const places: Readonly<Record<string, number>> = { name: -1, from: 1, to: 2 };
const placeOf = (name: string): number => places[name] ?? 0;

interface DetailsProps {
  entry: AuditEntry;
  /** Shows all of them, with what the entry is called over the API, instead of a line. */
  isOpen: boolean;
}

/** Leaves out the mode, which has its own badge. */
export function Details({ entry: { action, subject, details }, isOpen }: DetailsProps) {
  const text = useTexts(messages);
  const names = useTexts(detailTexts);
  const detail = useDetail(details?.['mode'] === 'test' ? 'test' : 'live');
  const shown = Object.entries(details ?? {})
    .filter(([name, value]) => name !== 'mode' && value !== null)
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  const parts = shown.map(([name, value]) => (
    <Text key={name} span size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span size="sm" c="dimmed">
        {names[name] ?? name}:
      </Text>{' '}
      {detail(name, value)}
    </Text>
  ));
  if (!isOpen) return parts.length === 0 ? <WideDash /> : <LineText>{separated(parts, ' · ')}</LineText>;
  return (
    <Stack gap={2} align="flex-start">
      {parts}
      <Code>{action}</Code>
      {subject && <Copyable value={subject} label={text.subject} />}
    </Stack>
  );
}
