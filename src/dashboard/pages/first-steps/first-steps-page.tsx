import { Button, Paper } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { useLiveRefresh, useServiceQuery } from '../../shell/use-service.ts';
import { useWorkplace, workplacePath } from '../../shell/use-workplace.ts';
import { paymentsUpdatedDocument } from '../payments/documents.ts';
import { firstStepsDocument } from './documents.ts';
import { KeyStep } from './key-step.tsx';
import { NextStep } from './next-step.tsx';
import { isPaid, PayStep } from './pay-step.tsx';
import { PaymentStep } from './payment-step.tsx';
import classes from './step.module.css';

const messages = texts(
  {
    title: 'Primeiros passos',
    about: 'Crie e receba sua primeira cobrança de teste em poucos minutos.',
    live: 'Comece pelo modo de teste',
    liveAbout: 'Você está em produção. No modo de teste nada é cobrado e nenhum dinheiro é movimentado.',
    toTest: 'Ir para o modo de teste',
  },
  {
    title: 'Get started',
    about: 'Create your first test payment and get it paid in a few minutes.',
    live: 'Start in test mode',
    liveAbout: 'You are in live mode. In test mode nothing is charged and no money moves.',
    toTest: 'Go to test mode',
  },
);

function InLiveMode() {
  const text = useTexts(messages);
  const { organizationId } = useWorkplace();
  const path = `~/dashboard${workplacePath({ organizationId, mode: 'test' })}/first-steps`;
  return (
    <Paper withBorder>
      <EmptyState
        title={text.live}
        action={
          <Button component={Link} href={path}>
            {text.toTest}
          </Button>
        }
      >
        {text.liveAbout}
      </EmptyState>
    </Paper>
  );
}

function InTestMode() {
  const result = useServiceQuery(firstStepsDocument, {});
  useLiveRefresh(paymentsUpdatedDocument, {});
  const [key, setKey] = useState<string>();
  return (
    <QueryResult result={result}>
      {({ apiKeys, payments }) => {
        const payment = payments.edges[0]?.node;
        return (
          <ol className={classes.steps}>
            <KeyStep apiKeys={apiKeys} created={key} onCreated={setKey} />
            <PaymentStep apiKey={key} isDone={payment?.status === 'pending' || isPaid(payment)} />
            <PayStep payment={payment} />
            <NextStep />
          </ol>
        );
      }}
    </QueryResult>
  );
}

export default function FirstStepsPage() {
  const text = useTexts(messages);
  const { mode } = useWorkplace();
  return (
    <Page title={text.title} about={text.about}>
      {mode === 'live' ? <InLiveMode /> : <InTestMode />}
    </Page>
  );
}
