import { Group, Stack, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { certificateStateOf } from '../../../core/providers/rules/client-certificate.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { Credential } from './base/documents.ts';

const messages = texts(
  {
    valid: (until: string) => `Certificado válido até ${until}`,
    expiring: (until: string) => `O certificado vence em ${until}: renove-o no provedor.`,
    expired: (since: string) => `O certificado venceu em ${since}: o provedor pode recusar as chamadas.`,
    paused: (until: string) => `Consultas pausadas até ${until}: o provedor pediu para aguardar (429).`,
  },
  {
    valid: (until) => `Certificate valid until ${until}`,
    expiring: (until) => `The certificate expires on ${until}: renew it at the provider.`,
    expired: (since) => `The certificate expired on ${since}: the provider may refuse calls.`,
    paused: (until) => `Lookups paused until ${until}: the provider asked us to wait (429).`,
  },
);

type Certified = Pick<Credential, 'certificateExpiresAt'>;

const stateOf = (expiresAt: string) => certificateStateOf(new Date(expiresAt), new Date());

/** Warns of a client certificate that expires soon; undefined for all others. */
function useCertificateTrouble(): (credential: Certified) => string | undefined {
  const text = useTexts(messages);
  const { date } = useFormats();
  return ({ certificateExpiresAt: expiresAt }) => {
    const state = expiresAt ? stateOf(expiresAt) : 'valid';
    return expiresAt && state !== 'valid' ? text[state](date(expiresAt)) : undefined;
  };
}

function Warning({ color, children }: { color: 'orange' | 'red'; children: string }) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <TriangleAlert
        size={18}
        color={`var(--mantine-color-${color}-text)`}
        style={{ flexShrink: 0 }}
        aria-hidden
      />
      <Text size="sm">{children}</Text>
    </Group>
  );
}

/** Shows the client certificate, and whether the PSP wants to be left alone. */
export function AccountState({ credential }: { credential: Credential }) {
  const text = useTexts(messages);
  const { date, hour } = useFormats();
  const trouble = useCertificateTrouble()(credential);
  const { certificateExpiresAt: expiresAt, pausedUntil } = credential;
  if (!expiresAt && !pausedUntil) return null;
  return (
    <Stack gap={2}>
      {expiresAt && !trouble && (
        <Text size="sm" c="dimmed">
          {text.valid(date(expiresAt))}
        </Text>
      )}
      {expiresAt && trouble && (
        <Warning color={stateOf(expiresAt) === 'expired' ? 'red' : 'orange'}>{trouble}</Warning>
      )}
      {pausedUntil && <Warning color="orange">{text.paused(hour(pausedUntil))}</Warning>}
    </Stack>
  );
}
