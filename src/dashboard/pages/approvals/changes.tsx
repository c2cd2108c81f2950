import { Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { isPermission } from '../../../core/base/key-permissions.ts';
import { isRole } from '../../../core/base/roles.ts';
import { isFees, useFeesText } from '../../parts/fees/use-fees-text.ts';
import { useCredentialTexts } from '../../parts/use-provider-name.ts';
import { roleTexts } from '../../parts/role-texts.ts';
import { RoleName } from '../../parts/roles/role-name.tsx';
import { separated } from '../../parts/roles/separated.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { permissionTexts } from '../api-keys/permission-texts.ts';
import { statusTexts } from '../recurrences/recurrence-status.tsx';
import { frequencyTexts } from '../recurrences/use-recurrence-texts.ts';
import { useAmounts } from '../rule-sets/base/amounts.ts';
import { useWeekdays } from '../rule-sets/base/weekdays.ts';
import classes from './changes.module.css';
import type { ApprovalRequest } from './documents.ts';
import { otherPayerTexts } from './other-payer-setting.tsx';
import { memberTexts } from './request-texts.ts';

const messages = texts(
  {
    caption: 'Alterações',
    what: 'Campo',
    before: 'Antes',
    after: 'Depois',
    value: 'Valor',
    yes: 'sim',
    no: 'não',
    none: 'nenhum',
    noneFeminine: 'nenhuma',
    noRole: 'ninguém',
    notRequired: 'não exigida',
    notGiven: 'não informado',
    everyEvent: 'todos',
    onlyReads: 'somente leitura',
    anywhere: 'qualquer um',
    test: 'teste',
    live: 'produção',
    varies: 'variável',
    usual: 'padrão',
    cheapest: 'a mais barata',
  },
  {
    caption: 'Changes',
    what: 'Field',
    before: 'Before',
    after: 'After',
    value: 'Value',
    yes: 'yes',
    no: 'no',
    none: 'none',
    noneFeminine: 'none',
    noRole: 'nobody',
    notRequired: 'not required',
    notGiven: 'not given',
    everyEvent: 'all',
    onlyReads: 'read-only',
    anywhere: 'any',
    test: 'test',
    live: 'live',
    varies: 'varying',
    usual: 'default',
    cheapest: 'the cheapest',
  },
);

type Members = Readonly<Record<string, unknown>>;

/** Names are found by the ids of credentials. */
export type CredentialNames = ReadonlyMap<string, string>;

const amounts = new Set([
  'amount',
  'debitAmount',
  'paymentAmount',
  'refundApprovalAbove',
  'refundLimitPerDay',
]);
const ofCredentials = new Set(['defaultCredentialId', 'fallbackCredentialIds', 'divertedTo']);

/** A field without a value says `none`, unless it is listed here: the word agrees with the field's name. */
const nothings: Readonly<Record<string, keyof (typeof messages)['pt']>> = {
  permissions: 'onlyReads',
  allowedIps: 'anywhere',
  debitAmount: 'varies',
  rateLimitPerMinute: 'usual',
  reason: 'notGiven',
  events: 'everyEvent',
  ranges: 'noneFeminine',
  split: 'noneFeminine',
  prefer: 'noneFeminine',
  settings: 'noneFeminine',
  fees: 'noneFeminine',
  default: 'noneFeminine',
  defaultRuleSet: 'noneFeminine',
  defaultCredentialId: 'noneFeminine',
  fallbackCredentialIds: 'noneFeminine',
  divertedTo: 'noneFeminine',
  refundApprovalAbove: 'notRequired',
  secondFactorRoles: 'noRole',
};

/** Nobody needs to see what is internal to the service, or a reference that the payment does not have. */
const isHidden = (name: string, value: unknown): boolean =>
  name === 'refundId' || (name === 'externalId' && value === null);

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Words the names and values of changed fields; `provider` is that of the credential that they belong to. */
function useMemberTexts(names: CredentialNames) {
  const text = useTexts(messages);
  const memberText = useTexts(memberTexts);
  const roleNames = useTexts(roleTexts);
  const permissionText = useTexts(permissionTexts);
  const feesText = useFeesText();
  const amountsOf = useAmounts();
  const weekdays = useWeekdays();
  const { providerName, settingName, settingValue } = useCredentialTexts();
  const { calendarDay, money } = useFormats();
  const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    status: useTexts(statusTexts),
    frequency: useTexts(frequencyTexts),
    otherPayer: useTexts(otherPayerTexts),
  };
  const credential = (id: unknown) => names.get(textOf(id)) ?? textOf(id);
  const entry = (item: unknown): string => {
    if (isRole(item)) return roleNames[item];
    if (typeof item === 'string' && isPermission(item)) return permissionText[item];
    if (!isMembers(item)) return textOf(item);
    const { role, amountPerDay, from, to, days, percent, credentialId } = item;
    if (isRole(role)) return `${roleNames[role]}: ${money(Number(amountPerDay))}`;
    if (percent !== undefined) return `${textOf(percent)} % → ${credential(credentialId)}`;
    const applies = Array.isArray(days)
      ? weekdays.textOf({ from: textOf(from), to: textOf(to), days: weekdays.inOrder(days.map(textOf)) })
      : amountsOf(Number(from), Number(to));
    return `${applies} → ${credential(credentialId)}`;
  };
  const nameOf = (name: string, provider = ''): string =>
    memberText[name] ?? settingName(provider, name) ?? name;
  const valueOf = (name: string, value: unknown, provider = ''): string => {
    const nothing = text[nothings[name] ?? 'none'];
    if (value === null || value === undefined) return nothing;
    if (amounts.has(name)) return money(Number(value));
    if (ofCredentials.has(name)) return [value].flat().map(credential).join(', ') || nothing;
    if (name === 'mode' && (value === 'test' || value === 'live')) return text[value];
    if (name === 'prefer' && value === 'cheapest') return text[value];
    if (isRole(value)) return roleNames[value];
    if (name === 'startDate') return calendarDay(textOf(value));
    if (name === 'provider') return providerName(textOf(value));
    if (typeof value === 'boolean') return value ? text.yes : text.no;
    if (name === 'settings' && Array.isArray(value))
      return value.map((each) => settingName(provider, textOf(each)) ?? textOf(each)).join('; ') || nothing;
    if (Array.isArray(value)) return value.map(entry).join('; ') || nothing;
    if (isFees(value)) return feesText(value);
    if (!isMembers(value)) return words[name]?.[textOf(value)] ?? settingValue(provider, name, textOf(value));
    const { id: _id, name: label, provider: its, ...more } = value;
    const of = textOf(its ?? '');
    const details = Object.entries(more).map(
      ([key, each]) => `${nameOf(key, of)}: ${valueOf(key, each, of)}`,
    );
    return [`${textOf(label)} (${providerName(of)})`, ...details].join('; ');
  };
  return { nameOf, valueOf };
}

/** Roles in it can be opened. */
function Value({ value, text }: { value: unknown; text: string }) {
  const { money } = useFormats();
  if (isRole(value)) return <RoleName role={value} />;
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const ofRoles = items.flatMap((item) => {
    if (isRole(item)) return [<RoleName key={item} role={item} />];
    if (!isMembers(item) || !isRole(item['role'])) return [];
    const { role, amountPerDay } = item;
    return [
      <span key={role}>
        <RoleName role={role} />: {money(Number(amountPerDay))}
      </span>,
    ];
  });
  return ofRoles.length > 0 ? separated(ofRoles, '; ') : text;
}

interface CellProps {
  /** Shown on a phone, where the columns have no headers. */
  header?: string | undefined;
  /** How many columns it stands for. */
  span?: number;
  isNew?: boolean;
  children: ReactNode;
}

function Cell({ header, span, isNew = false, children }: CellProps) {
  return (
    <Table.Td data-header={header} colSpan={span}>
      <Text size="sm" fw={isNew ? 600 : 400} {...(span && { c: 'dimmed' })} className={classes.value}>
        {children}
      </Text>
    </Table.Td>
  );
}

/** What stays is shown once, for what it says of the rest. */
export function Changes({ request, names }: { request: ApprovalRequest; names: CredentialNames }) {
  const text = useTexts(messages);
  const { nameOf, valueOf } = useMemberTexts(names);
  const before = request.before as Members | null;
  const after = request.after as Members;
  const provider = textOf(after['provider'] ?? '');
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after)])];
  return (
    <Table className={classes.table} withRowBorders={false} verticalSpacing={4} layout="fixed">
      <Table.Caption>
        <VisuallyHidden>{text.caption}</VisuallyHidden>
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" className={classes.name}>
            {text.what}
          </Table.Th>
          {before && <Table.Th scope="col">{text.before}</Table.Th>}
          <Table.Th scope="col">{before ? text.after : text.value}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {members
          .filter((name) => !isHidden(name, after[name]))
          .map((name) => {
            const was = valueOf(name, before?.[name], provider);
            const becomes = valueOf(name, after[name], provider);
            const old = <Value value={before?.[name]} text={was} />;
            return (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400}>
                  {nameOf(name, provider)}
                </Table.Th>
                {before && was === becomes ? (
                  <Cell span={2}>{old}</Cell>
                ) : (
                  <>
                    {before && <Cell header={text.before}>{old}</Cell>}
                    <Cell header={before ? text.after : undefined} isNew={was !== becomes}>
                      <Value value={after[name]} text={becomes} />
                    </Cell>
                  </>
                )}
              </Table.Tr>
            );
          })}
      </Table.Tbody>
    </Table>
  );
}
