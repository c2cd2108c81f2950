import { Code, Group, Stack, Text } from '@mantine/core';
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { checkReasons } from '../../../core/providers/rules/check-reasons.ts';
import type { ResultOf } from '../../api/graphql.ts';
import { texts, useFormats, useLanguage, useTexts } from '../../base/language.tsx';
import type { checkCredentialDocument, Credential } from './base/documents.ts';
import { credentialTexts } from './texts.ts';

type Check = ResultOf<typeof checkCredentialDocument>['checkCredential'];
type Stage = Check['stages'][number];

export type Finding = Omit<Stage, 'stage'>;

const messages = texts(
  {
    ok: 'O provedor aceita a credencial.',
    failed: 'O teste encontrou um problema.',
    stages: {
      certificate: 'Certificado',
      sign_in: 'Autenticação',
      lookup: 'Consulta',
      webhook: 'Webhook',
    } satisfies Record<Stage['stage'], string>,
    outcomes: { ok: 'OK', failed: 'Falhou', skipped: 'Não testado' } satisfies Record<
      Stage['outcome'],
      string
    >,
    detail: 'Para o suporte do provedor:',
  },
  {
    ok: 'The provider accepts the credential.',
    failed: 'The check found a problem.',
    stages: { certificate: 'Certificate', sign_in: 'Sign-in', lookup: 'Lookup', webhook: 'Webhook' },
    outcomes: { ok: 'OK', failed: 'Failed', skipped: 'Not checked' },
    detail: "For the provider's support:",
  },
);

const icons: Record<Stage['outcome'], ReactNode> = {
  ok: <CircleCheck size={18} style={{ flexShrink: 0 }} color="var(--mantine-color-teal-text)" aria-hidden />,
  failed: <CircleX size={18} style={{ flexShrink: 0 }} color="var(--mantine-color-red-text)" aria-hidden />,
  skipped: (
    <CircleMinus size={18} style={{ flexShrink: 0 }} color="var(--mantine-color-dimmed)" aria-hidden />
  ),
};

/** Says the outcome, and its reason in the language of the page. */
export function FindingLine({ name, finding }: { name: string; finding: Finding }) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const { outcome, reason, detail } = finding;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" c={outcome === 'skipped' ? 'dimmed' : undefined}>
      {icons[outcome]}
      <Stack gap={2} style={{ overflowWrap: 'anywhere' }} miw={0}>
        <Text size="sm" fw={outcome === 'failed' ? 600 : undefined}>
          {name}: {text.outcomes[outcome]}
        </Text>
        {reason && <Text size="sm">{checkReasons[reason][language]}</Text>}
        {detail && (
          <Text size="xs" c="dimmed">
            {text.detail} <Code>{detail}</Code>
          </Text>
        )}
      </Stack>
    </Group>
  );
}

export function CheckResult({ check: { ok, stages } }: { check: Pick<Check, 'ok' | 'stages'> }) {
  const text = useTexts(messages);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {ok ? text.ok : text.failed}
      </Text>
      {stages.map(({ stage, ...finding }) => (
        <FindingLine key={stage} name={text.stages[stage]} finding={finding} />
      ))}
    </Stack>
  );
}

type Last = NonNullable<Credential['lastCheck']>;

/** Shows the last check, and its stages if any found something wrong. */
export function LastCheck({ lastCheck }: { lastCheck: Last | null }) {
  const text = useTexts(credentialTexts);
  const { dateTime } = useFormats();
  return (
    <output>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {lastCheck ? text.checked(dateTime(lastCheck.checkedAt), lastCheck.ok) : text.never}
        </Text>
        {lastCheck && !lastCheck.ok && <CheckResult check={lastCheck} />}
      </Stack>
    </output>
  );
}
