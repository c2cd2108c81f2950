import { Badge, Code, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { certificateWarningDays } from '../../../core/providers/rules/client-certificate.ts';
import { checkReasons } from '../../../core/providers/rules/check-reasons.ts';
import { DiversionControl } from '../../parts/diversion/diversion-control.tsx';
import { useAttention } from '../../parts/use-attention.ts';
import { useFormats, useLanguage, useTexts } from '../../base/language.tsx';
import type { Health, WindowCalls } from './documents.ts';
import { healthTexts, operationTexts, type Window, windows } from './texts.ts';

/** Keeps it in the URL, so that links have it. */
export function useWindow(): [Window, (window: Window) => void] {
  const [parameters, setParameters] = useSearchParams();
  const window = windows.find((each) => each === parameters.get('window')) ?? 'hour';
  return [
    window,
    (changed) => {
      setParameters({ window: changed }, { replace: true });
    },
  ];
}

export function WindowChoice({ value, onChange }: { value: Window; onChange: (window: Window) => void }) {
  const text = useTexts(healthTexts);
  return (
    <SegmentedControl
      aria-label={text.window}
      value={value}
      onChange={(chosen) => {
        onChange(chosen as Window);
      }}
      data={windows.map((window) => ({ value: window, label: text.windows[window] }))}
    />
  );
}

/** Says in one word what the service itself calls trouble. */
export function HealthMark({ health }: { health: Health }) {
  const text = useTexts(healthTexts);
  const conditions = useAttention() ?? [];
  const { credentialId, enabled, week } = health;
  const isTroubled = conditions.some(
    ({ severity, subject }) => severity === 'critical' && subject?.id === credentialId,
  );
  const [color, label] = !enabled
    ? ['gray', text.disabled]
    : isTroubled
      ? ['red', text.troubled]
      : week.calls === 0
        ? ['gray', text.idle]
        : ['teal', text.ok];
  return (
    <Badge variant="dot" tt="none" color={color}>
      {label}
    </Badge>
  );
}

function Fact({
  label,
  isTrouble = false,
  children,
}: {
  label: string;
  isTrouble?: boolean;
  children: ReactNode;
}) {
  return (
    <Stack gap={0}>
      <Text size="xs" c="dimmed" component="dt">
        {label}
      </Text>
      <Text size="sm" fw={600} component="dd" m={0} {...(isTrouble && { c: 'red' })}>
        {children}
      </Text>
    </Stack>
  );
}

const goodRate = 0.95;

/** Sums up the calls of a period in figures. */
export function WindowFigures({ calls }: { calls: WindowCalls }) {
  const text = useTexts(healthTexts);
  const { count, share, milliseconds } = useFormats();
  const ms = (value: number | null) => (value === null ? '—' : milliseconds(value));
  const { successRate } = calls;
  const tooMany = calls.outcomes.find(({ outcome }) => outcome === 'rate_limited')?.count ?? 0;
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 5 }} spacing="sm">
      <Fact label={text.successRate} isTrouble={successRate !== null && successRate < goodRate}>
        {successRate === null ? '—' : share(successRate)}
      </Fact>
      <Fact label={text.calls}>{count(calls.calls)}</Fact>
      <Fact label={text.p50}>{ms(calls.p50Ms)}</Fact>
      <Fact label={text.p95}>{ms(calls.p95Ms)}</Fact>
      <Fact label={text.tooMany} isTrouble={tooMany > 0}>
        {count(tooMany)}
      </Fact>
    </SimpleGrid>
  );
}

/** Shows what is known about a credential besides its calls. */
export function AccountFacts({ health }: { health: Health }) {
  const text = useTexts(healthTexts);
  const { dateTime, date, count, hour } = useFormats();
  const at = (instant: string | null) => (instant ? dateTime(instant) : text.never);
  const { requests, certificateExpiresAt, certificateDaysLeft: days, pausedUntil } = health;
  const { notificationMissedAt: missedAt, lastNotificationAt: notifiedAt } = health;
  const isMissing = missedAt !== null && !(notifiedAt && notifiedAt > missedAt);
  return (
    <Stack gap="xs">
      <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 5 }} spacing="sm">
        <Fact label={text.breaker} isTrouble={health.breakerOpen}>
          {health.breakerOpen ? text.breakerOpen : text.breakerClosed}
        </Fact>
        <Fact label={text.lastSuccess}>{at(health.lastSuccessAt)}</Fact>
        <Fact label={text.lastNotification}>{at(notifiedAt)}</Fact>
        {requests && (
          <Fact label={text.left}>{text.leftOf(count(requests.left), count(requests.limit))}</Fact>
        )}
        {certificateExpiresAt && days !== null && (
          <Fact label={text.certificate} isTrouble={days < certificateWarningDays}>
            {text.certificateDays(days)} ({date(certificateExpiresAt)})
          </Fact>
        )}
      </SimpleGrid>
      {pausedUntil && <Text size="sm">{text.paused(hour(pausedUntil))}</Text>}
      {isMissing && <Text size="sm">{text.missed(dateTime(missedAt))}</Text>}
    </Stack>
  );
}

/** Tells of the last failed call in plain words, and in those that the provider's support needs. */
export function LastFailure({ failure }: { failure: NonNullable<Health['lastFailure']> }) {
  const text = useTexts(healthTexts);
  const operationText = useTexts(operationTexts);
  const { language } = useLanguage();
  const { dateTime } = useFormats();
  const { at, operation, reason, detail } = failure;
  return (
    <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
      <Text size="xs" c="dimmed">
        {text.lastFailure}: {dateTime(at)}, {operationText[operation] ?? operation}
      </Text>
      {reason && <Text size="sm">{checkReasons[reason][language]}</Text>}
      <Text size="xs" c="dimmed">
        {text.support} <Code>{detail}</Code>
      </Text>
    </Stack>
  );
}

/** Where the payments of an enabled credential go, and the way to change that. */
export function HealthDiversion({ health: { credentialId: id, name, enabled } }: { health: Health }) {
  const diverted = useAttention()?.find(
    ({ kind, subject }) => kind === 'credential_diverted' && subject?.id === id,
  );
  const { divertedTo, since } = diverted ?? {};
  const diversion = divertedTo && since ? { to: divertedTo.name, since } : null;
  if (!enabled && !diversion) return null;
  return <DiversionControl credential={{ id, name }} diversion={diversion} />;
}
