import { Alert, Badge, Code, Flex, Group, Text } from '@mantine/core';
import { Info, Plus } from 'lucide-react';
import { useState } from 'react';
import { isPermission } from '../../../core/base/key-permissions.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { ClippedText, LineText } from '../../ui/clipped-text.tsx';
import { ShownOnce } from '../../ui/copying/shown-once.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { useFormats, useTexts } from '../../base/language.tsx';
import { useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { type ApiKey, apiKeysDocument, type NewKey, revokeApiKeyDocument } from './documents.ts';
import { EditButton } from './edit-button.tsx';
import { NewKeyForm } from './new-key-form.tsx';
import { permissionTexts } from './permission-texts.ts';
import { RotateButton } from './rotate-button.tsx';
import { apiKeyTexts } from './texts.ts';

type State = 'working' | 'expired' | 'revoked';

const stateColors: Record<State, string> = { working: 'teal', expired: 'gray', revoked: 'red' };

function stateOf({ revokedAt, expiresAt }: ApiKey): State {
  if (revokedAt) return 'revoked';
  return expiresAt && new Date(expiresAt) <= new Date() ? 'expired' : 'working';
}

function KeyState({ apiKey }: { apiKey: ApiKey }) {
  const text = useTexts(apiKeyTexts);
  const { date } = useFormats();
  const state = stateOf(apiKey);
  const at = apiKey.revokedAt ?? apiKey.expiresAt;
  return (
    <Group gap={6} wrap="nowrap">
      <Badge variant="dot" color={stateColors[state]} tt="none" miw="max-content">
        {text.states[state]}
      </Badge>
      {at && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {state === 'working' && text.until} {date(at)}
        </Text>
      )}
    </Group>
  );
}

function RevokeButton({ apiKey: { id, name, hint } }: { apiKey: ApiKey }) {
  const text = useTexts(apiKeyTexts);
  const revoke = useServiceMutation(revokeApiKeyDocument, text.revoked);
  return (
    <ConfirmButton
      label={text.revoke}
      subject={name}
      color="red"
      variant="subtle"
      px="xs"
      mutation={revoke}
      onConfirm={(close) => {
        revoke.mutate({ id }, { onSuccess: close });
      }}
    >
      <b>{name}</b> <Code>{hint}</Code>
      <br />
      {text.revokeAbout}
    </ConfirmButton>
  );
}

/** A table has no room for more; the form shows all of them. */
const shownIps = 3;

/** What it may do, and then what limits that. */
function usePermitted(): (apiKey: ApiKey) => string[] {
  const text = useTexts(apiKeyTexts);
  const permissionText = useTexts(permissionTexts);
  const { money, count } = useFormats();
  return ({ permissions, allowedIps, refundLimitPerDay, rateLimitPerMinute }) => {
    const shown = allowedIps.slice(0, shownIps).join(', ');
    const others = allowedIps.length - shownIps;
    return [
      permissions.map((each) => (isPermission(each) ? permissionText[each] : each)).join(', ') ||
        text.onlyReads,
      ...(shown
        ? [[text.onlyFrom, shown, others > 0 && text.moreIps(others)].filter(Boolean).join(' ')]
        : []),
      ...(refundLimitPerDay === null ? [] : [text.refundsPerDay(money(refundLimitPerDay))]),
      ...(rateLimitPerMinute === null ? [] : [text.requestsPerMinute(count(rateLimitPerMinute))]),
    ];
  };
}

/** On a large screen the hint stands beside it. */
const nameWidth = 'max(9rem, 11vw)';

function useColumns(mayManage: boolean, onRotated: (created: NewKey) => void): Column<ApiKey>[] {
  const text = useTexts(apiKeyTexts);
  const permitted = usePermitted();
  const { dateTime, date } = useFormats();
  return [
    {
      header: text.key,
      cell: ({ name, hint }) => (
        <Flex
          direction={{ base: 'column', sm: 'row' }}
          align={{ base: 'flex-end', sm: 'center' }}
          gap={{ base: 2, sm: 'xs' }}
        >
          <Text span size="sm" fw={600}>
            <ClippedText maxWidth={nameWidth}>{name}</ClippedText>
          </Text>
          <Code style={{ whiteSpace: 'nowrap' }}>{hint}</Code>
        </Flex>
      ),
    },
    {
      header: text.permissions,
      isFilling: true,
      cell: (apiKey) => {
        const parts = permitted(apiKey);
        return <LineText title={parts.join('\n')}>{parts.join(' · ')}</LineText>;
      },
    },
    { header: text.created, isWhole: true, cell: ({ createdAt }) => date(createdAt) },
    {
      header: text.lastUsed,
      isWhole: true,
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? <span title={dateTime(lastUsedAt)}>{date(lastUsedAt)}</span> : text.never,
    },
    { header: text.state, cell: (apiKey) => <KeyState apiKey={apiKey} /> },
    ...(mayManage
      ? [
          {
            header: '',
            cell: (apiKey: ApiKey) =>
              stateOf(apiKey) === 'working' && (
                <Group gap={0} justify="flex-end" wrap="nowrap">
                  <EditButton apiKey={apiKey} />
                  <RotateButton apiKey={apiKey} onRotated={onRotated} />
                  <RevokeButton apiKey={apiKey} />
                </Group>
              ),
          },
        ]
      : []),
  ];
}

const activeFirst = (keys: readonly ApiKey[]): ApiKey[] =>
  keys.toSorted((a, b) => Number(stateOf(a) !== 'working') - Number(stateOf(b) !== 'working'));

export default function ApiKeysPage() {
  const text = useTexts(apiKeyTexts);
  const { mode, may } = useWorkplace();
  const mayManage = may(mode === 'test' ? 'test-keys:manage' : 'live-keys:manage');
  const [created, setCreated] = useState<NewKey>();
  const columns = useColumns(mayManage, setCreated);
  const result = useServiceQuery(apiKeysDocument, {});
  const create = (
    <DialogButton label={text.create} variant="filled" leftSection={<Plus size={16} aria-hidden />}>
      {(close) => (
        <NewKeyForm
          onCancel={close}
          onCreated={(fresh) => {
            close();
            setCreated(fresh);
          }}
        />
      )}
    </DialogButton>
  );
  return (
    <Page title={text.title[mode]} about={text.about[mode]} actions={mayManage && create}>
      {!mayManage && (
        <Alert color="gray" icon={<Info />}>
          {mode === 'live' ? text.ownersOnly : text.developersOnly}
        </Alert>
      )}
      <QueryResult result={result}>
        {({ apiKeys }) => (
          <DataTable
            caption={text.title[mode]}
            columns={columns}
            rows={activeFirst(apiKeys.filter((key) => key.mode === mode))}
            keyOf={({ id }) => id}
            empty={<EmptyState title={text.none}>{text.noneAbout}</EmptyState>}
          />
        )}
      </QueryResult>
      <ShownOnce
        title={text.newKey}
        secret={created?.key}
        onClose={() => {
          setCreated(undefined);
        }}
      >
        <Text size="sm">{text.keep}</Text>
        {created?.approvalRequestId && <Text size="sm">{text.waits}</Text>}
      </ShownOnce>
    </Page>
  );
}
