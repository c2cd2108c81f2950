import { Anchor, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { DialogButton } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Select } from '../../ui/inputs/fields.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { useFailureOf } from '../use-attention.ts';
import { useProviderName } from '../use-provider-name.ts';
import { divertCredentialDocument, type DiversionChoice, diversionChoiceDocument } from './documents.ts';
import { type NamedCredential, useOfferUndo } from './undo-diversion.tsx';

const messages = texts(
  {
    open: 'Direcionar para…',
    title: (from: string) => `Direcionar as cobranças de ${from}`,
    to: 'Direcionar para',
    moves: (from: string, to: string) => `Novas cobranças que iriam para ${from} passam a ir para ${to}:`,
    byDefault: 'as que não seguem nenhuma regra (é a credencial padrão)',
    asFallback: 'as que a credencial padrão não conseguir criar',
    byRule: (name: string) => `as da regra “${name}”`,
    diverted: (name: string) => `as direcionadas de ${name}`,
    nothing: (from: string) => `Hoje, nenhuma regra direciona cobranças para ${from}.`,
    rest: (from: string, to: string) =>
      `Nada é reconfigurado: a padrão e as regras continuam como estão, e ${from} fica como contingência do que ${to} não conseguir criar.`,
    minimum: (to: string, amount: string) => `${to} aceita valores a partir de ${amount}.`,
    stays: (from: string) =>
      `Continuam em ${from} as cobranças já criadas, as recorrências e as cobranças que indicam essa credencial.`,
    until: 'Vale até você desfazer.',
    none: 'Não há outra credencial de produção ativa e sem falhas.',
    credentials: 'Ver credenciais',
    divert: 'Direcionar',
  },
  {
    open: 'Route to…',
    title: (from) => `Route the payments of ${from}`,
    to: 'Route to',
    moves: (from, to) => `New payments that would go to ${from} go to ${to} instead:`,
    byDefault: 'those without a rule (it is the default credential)',
    asFallback: 'those that the default credential fails to create',
    byRule: (name) => `those of the rule “${name}”`,
    diverted: (name) => `those routed here from ${name}`,
    nothing: (from) => `No rule routes payments to ${from} today.`,
    rest: (from, to) =>
      `Nothing is reconfigured: the default and the rules stay as they are, and ${from} stays as a fallback for what ${to} fails to create.`,
    minimum: (to, amount) => `${to} accepts amounts from ${amount}.`,
    stays: (from) =>
      `Existing payments, recurrences and payments that name this credential stay with ${from}.`,
    until: 'This holds until you undo it.',
    none: 'There is no other live credential that is enabled and works.',
    credentials: 'View credentials',
    divert: 'Route',
  },
);

interface FormProps {
  from: NamedCredential;
  choice: DiversionChoice;
  onClose: () => void;
}

/** The default comes first, then its fallbacks in their order. */
const placeOf = ({ isDefault, fallbackPosition }: DiversionChoice['credentials'][number]): number =>
  isDefault ? 0 : (fallbackPosition ?? Infinity);

function Effects({
  from,
  to,
  choice,
}: {
  from: string;
  to: { name: string; minimumAmount: number | null };
  choice: DiversionChoice;
}) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const { isDefault, isDefaultFallback, ruleSets, divertedHere } = choice.credentialRemoval;
  const ways = [
    ...(isDefault ? [text.byDefault] : []),
    ...ruleSets.map(({ name }) => text.byRule(name)),
    ...(isDefaultFallback ? [text.asFallback] : []),
    ...divertedHere.map(({ name }) => text.diverted(name)),
  ];
  return (
    <Stack gap="xs">
      <Text size="sm">{ways.length > 0 ? text.moves(from, to.name) : text.nothing(from)}</Text>
      {ways.length > 0 && (
        <List size="sm">
          {ways.map((way) => (
            <List.Item key={way}>{way}</List.Item>
          ))}
        </List>
      )}
      <Text size="sm" c="dimmed">
        {text.rest(from, to.name)}{' '}
        {to.minimumAmount !== null && text.minimum(to.name, money(to.minimumAmount))} {text.stays(from)}
      </Text>
      <Text size="sm" fw={600}>
        {text.until}
      </Text>
    </Stack>
  );
}

function DivertForm({ from, choice, onClose }: FormProps) {
  const text = useTexts(messages);
  const failureOf = useFailureOf();
  const providerName = useProviderName();
  const divert = useServiceMutation(divertCredentialDocument);
  const offerUndo = useOfferUndo(from);
  const targets = choice.credentials
    .filter(
      ({ id, enabled, provider, divertedToId }) =>
        id !== from.id && enabled && provider !== 'sandbox' && !divertedToId,
    )
    .filter(({ id }) => !failureOf(id))
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  const [chosenId, setChosenId] = useState<string>();
  const to = targets.find(({ id }) => id === chosenId) ?? targets[0];
  if (!to) {
    return (
      <Stack align="flex-start">
        <Text size="sm">{text.none}</Text>
        <Anchor component={Link} href="/credentials" size="sm">
          {text.credentials}
        </Anchor>
      </Stack>
    );
  }
  const send = () => {
    divert.mutate(
      { id: from.id, to: to.id },
      {
        onSuccess: () => {
          onClose();
          offerUndo(to.name);
        },
      },
    );
  };
  return (
    <DialogForm submit={text.divert} mutation={divert} onSubmit={send} onCancel={onClose}>
      <Select
        label={text.to}
        data={targets.map(({ id, name, provider }) => ({
          value: id,
          label: `${name} (${providerName(provider)})`,
        }))}
        value={to.id}
        allowDeselect={false}
        onChange={(id) => {
          setChosenId(id ?? undefined);
        }}
      />
      <Effects from={from.name} to={to} choice={choice} />
    </DialogForm>
  );
}

function Diversion({ from, onClose }: { from: NamedCredential; onClose: () => void }) {
  const choice = useServiceQuery(diversionChoiceDocument, { id: from.id });
  return (
    <QueryResult result={choice}>
      {(read) => <DivertForm from={from} choice={read} onClose={onClose} />}
    </QueryResult>
  );
}

/** Says first what would move. Only those who may manage credentials see it. */
export function DivertButton({ credential }: { credential: NamedCredential }) {
  const text = useTexts(messages);
  return (
    <DialogButton
      label={text.open}
      subject={credential.name}
      title={text.title(credential.name)}
      size="compact-sm"
      flex="none"
      style={{ alignSelf: 'flex-start' }}
    >
      {(close) => <Diversion from={credential} onClose={close} />}
    </DialogButton>
  );
}
