import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { alertKinds } from '../../../core/health/rules/conditions.ts';
import { alertRules } from '../../../core/health/rules/condition-rules-words.ts';
import { conditionTitles } from '../../../core/health/rules/condition-words.ts';
import { graphql } from '../../api/graphql.ts';
import { texts, useLanguage, useTexts } from '../../base/language.tsx';
import { useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { BorderedSection } from '../../ui/page.tsx';

const preferencesDocument = graphql(`
  query AlertPreferences {
    alertPreferences {
      kinds
      sendsEmail
    }
  }
`);

const setPreferencesDocument = graphql(`
  mutation SetAlertPreferences($input: AlertPreferencesInput!) {
    setAlertPreferences(input: $input) {
      kinds
    }
  }
`);

const messages = texts(
  {
    title: 'Alertas por e-mail',
    about: (organization: string) =>
      `Avisamos quando um problema em ${organization} começa e termina, no modo de produção e no idioma em que você salvar.`,
    noServer: 'Este servidor não tem e-mail configurado (SMTP_URL): nada será enviado.',
    save: 'Salvar alertas',
    saved: 'Alertas salvos',
  },
  {
    title: 'Alerts by e-mail',
    about: (organization) =>
      `For ${organization}, in live mode, when a problem begins and when it is over, in the language you save in.`,
    noServer: 'This server has no mail server (SMTP_URL): nothing will be sent.',
    save: 'Save alerts',
    saved: 'Alerts saved',
  },
);

function Choice({ chosen, sendsEmail }: { chosen: readonly string[]; sendsEmail: boolean }) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const [kinds, setKinds] = useState([...chosen]);
  const save = useServiceMutation(setPreferencesDocument, text.saved);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { kinds: alertKinds.filter((kind) => kinds.includes(kind)), language };
    save.mutate({ input });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {!sendsEmail && (
          <Alert color="yellow">
            <Text size="sm">{text.noServer}</Text>
          </Alert>
        )}
        <Checkbox.Group aria-label={text.title} value={kinds} onChange={setKinds}>
          <Stack gap="xs">
            {alertKinds.map((kind) => (
              <Checkbox
                key={kind}
                value={kind}
                label={conditionTitles[kind][language]}
                description={alertRules[kind][language]}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <ErrorAlert error={save.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Chooses which alerts of this organization reach the person by e-mail. */
export function AlertChoice() {
  const text = useTexts(messages);
  const { organizationName } = useWorkplace();
  const result = useServiceQuery(preferencesDocument, {});
  return (
    <BorderedSection title={text.title} about={text.about(organizationName)}>
      <QueryResult result={result}>
        {({ alertPreferences: { kinds, sendsEmail } }) => <Choice chosen={kinds} sendsEmail={sendsEmail} />}
      </QueryResult>
    </BorderedSection>
  );
}
