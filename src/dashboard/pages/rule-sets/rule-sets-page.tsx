import { Button, Paper, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import { Dialog } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded, Nothing } from '../../ui/error-alert.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { notify, useServiceMutation, useServiceQuery } from '../../shell/use-service.ts';
import { useWorkplace } from '../../shell/use-workplace.ts';
import { accountsOf } from './accounts.ts';
import { createRuleSetDocument, ruleSetsDocument } from './documents.ts';
import { RuleSetCard } from './rule-set-card.tsx';
import { RuleSetForm } from './rule-set-form.tsx';

const said = texts(
  {
    title: 'Regras de roteamento',
    about:
      'Escolhem pelo valor a credencial em que uma cobrança é criada. Valem para as cobranças que trazem o ruleSetId; uma alteração vale para as cobranças criadas a partir dela.',
    create: 'Criar regra',
    created: 'A regra foi criada.',
    none: 'Nenhuma regra ainda',
    noneAbout: 'Sem regra, a cobrança vai para a credencial padrão da organização.',
    noCredentials: 'Primeiro, uma credencial',
    noCredentialsAbout: 'Regras escolhem entre credenciais, e a organização ainda não tem nenhuma.',
    credentials: 'Ir para credenciais',
  },
  {
    title: 'Routing rules',
    about:
      'They choose by its amount the credential at which a payment is created. They are for payments that bring the ruleSetId; a change holds for payments that are created from then on.',
    create: 'Create rule set',
    created: 'The rule set is created.',
    none: 'No rule sets yet',
    noneAbout: 'Without one, a payment goes to the default credential of the organization.',
    noCredentials: 'First, a credential',
    noCredentialsAbout: 'Rule sets choose among credentials, and the organization has none yet.',
    credentials: 'Go to credentials',
  },
);

function Empty({ hasCredentials }: { hasCredentials: boolean }) {
  const text = useTexts(said);
  const toCredentials = (
    <Button component={Link} href="/credentials" variant="default">
      {text.credentials}
    </Button>
  );
  return (
    <Paper withBorder>
      {hasCredentials ? (
        <Nothing title={text.none}>{text.noneAbout}</Nothing>
      ) : (
        <Nothing title={text.noCredentials} action={toCredentials}>
          {text.noCredentialsAbout}
        </Nothing>
      )}
    </Paper>
  );
}

export default function RuleSetsPage() {
  const text = useTexts(said);
  const { may } = useWorkplace();
  const [isOpen, { open, close }] = useDisclosure(false);
  const result = useServiceQuery(ruleSetsDocument, {});
  const accounts = accountsOf(result.data?.credentials ?? []);
  const create = useServiceMutation(createRuleSetDocument);
  const created = () => {
    close();
    notify(text.created);
  };
  const createButton = (
    <Button
      leftSection={<Plus size={16} aria-hidden />}
      onClick={() => {
        create.reset();
        open();
      }}
    >
      {text.create}
    </Button>
  );
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={may('rule-sets:manage') && accounts.size > 0 && createButton}
    >
      <Loaded result={result}>
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
      </Loaded>
      <Dialog opened={isOpen} onClose={close} title={text.create} size="lg">
        <RuleSetForm
          accounts={accounts}
          label={text.create}
          mutation={create}
          onCancel={close}
          onSubmit={(input) => {
            create.mutate({ input }, { onSuccess: created });
          }}
        />
      </Dialog>
    </Page>
  );
}
