import { Alert, Button, Paper, Stack } from '@mantine/core';
import { Info, Plus } from 'lucide-react';
import { lazy } from 'react';
import { Link } from 'wouter';
import { DialogButton } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { accountsOf } from './base/accounts.ts';
import { createRuleSetDocument, ruleSetsDocument } from './base/documents.ts';
import { RuleSetCard } from './rule-set-card.tsx';

const RuleSetForm = lazy(() => import('./form/rule-set-form.tsx'));

const messages = texts(
  {
    title: 'Regras de roteamento',
    about:
      'Definem, pelo valor, a credencial em que a cobrança é criada. Aplicam-se às cobranças que informam o ruleSetId; a regra padrão, também às que não informam regra nem credencial. Alterações valem para as próximas cobranças.',
    create: 'Criar regra',
    created: 'Regra criada.',
    readOnly: 'Somente proprietários e desenvolvedores criam e editam regras.',
    none: 'Nenhuma regra ainda',
    noneAbout: 'Sem regra, as cobranças usam a credencial padrão da organização.',
    noCredentials: 'Adicione uma credencial primeiro',
    noCredentialsAbout:
      'As regras distribuem cobranças entre credenciais, e a organização ainda não tem nenhuma.',
    credentials: 'Ir para credenciais',
  },
  {
    title: 'Routing rules',
    about:
      'Choose the credential for a payment by its amount. They apply to payments created with the ruleSetId; the default rule also to those that name neither rule nor credential. Changes affect new payments only.',
    create: 'Create routing rule',
    created: 'Routing rule created.',
    readOnly: 'Only owners and developers create and edit routing rules.',
    none: 'No routing rules yet',
    noneAbout: 'Without a rule, payments use the organization’s default credential.',
    noCredentials: 'Add a credential first',
    noCredentialsAbout:
      'Routing rules distribute payments across credentials, and the organization has none yet.',
    credentials: 'Go to credentials',
  },
);

function Empty({ hasCredentials }: { hasCredentials: boolean }) {
  const text = useTexts(messages);
  const toCredentials = (
    <Button component={Link} href="/credentials" variant="default">
      {text.credentials}
    </Button>
  );
  return (
    <Paper withBorder>
      {hasCredentials ? (
        <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
      ) : (
        <EmptyState title={text.noCredentials} action={toCredentials}>
          {text.noCredentialsAbout}
        </EmptyState>
      )}
    </Paper>
  );
}

export default function RuleSetsPage() {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const mayManage = may('rule-sets:manage');
  const result = useServiceQuery(ruleSetsDocument, {});
  const accounts = accountsOf(result.data?.credentials ?? []);
  const create = useServiceMutation(createRuleSetDocument, text.created);
  const createButton = (
    <DialogButton
      label={text.create}
      dialog={{ size: 'lg' }}
      variant="filled"
      leftSection={<Plus size={16} aria-hidden />}
      onOpen={create.reset}
    >
      {(close) => (
        <RuleSetForm
          accounts={accounts}
          label={text.create}
          mutation={create}
          onCancel={close}
          onSubmit={(input) => {
            create.mutate({ input }, { onSuccess: close });
          }}
        />
      )}
    </DialogButton>
  );
  return (
    <Page title={text.title} about={text.about} actions={mayManage && accounts.size > 0 && createButton}>
      {!mayManage && (
        <Alert color="gray" icon={<Info />}>
          {text.readOnly}
        </Alert>
      )}
      <QueryResult result={result}>
        {({ ruleSets }) =>
          ruleSets.length === 0 ? (
            <Empty hasCredentials={accounts.size > 0} />
          ) : (
            <Stack>
              {ruleSets.map((ruleSet) => (
                <RuleSetCard key={ruleSet.id} ruleSet={ruleSet} accounts={accounts} />
              ))}
            </Stack>
          )
        }
      </QueryResult>
    </Page>
  );
}
