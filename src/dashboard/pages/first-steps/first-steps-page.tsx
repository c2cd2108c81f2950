import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useLiveRefresh, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace, workplacePath } from '../../base/use-workplace.ts';
import { paymentsUpdatedDocument } from '../payments/documents.ts';
import { firstStepsDocument } from './documents.ts';
import { GoLive } from './go-live.tsx';
import { KeyStep } from './key-step.tsx';
import { NextStep } from './next-step.tsx';
import { isPaid, PayStep } from './pay-step.tsx';
import { PaymentStep } from './payment-step.tsx';
import classes from './step.module.css';

const messages = texts(
  {
    title: 'Primeiros passos',
    about: 'Crie e receba sua primeira cobrança de teste em poucos minutos.',
    live: 'Entrar em produção',
    liveAbout:
      'Da conta do banco ao primeiro pagamento real. Para experimentar sem dinheiro, use o modo de teste.',
    toTest: 'Ir para o modo de teste',
  },
  {
    title: 'Get started',
    about: 'Create your first test payment and get it paid in a few minutes.',
    live: 'Go live',
    liveAbout:
      'From your bank account to the first real payment. To try things without money, use test mode.',
    toTest: 'Go to test mode',
  },
);

function ToTestMode() {
  const text = useTexts(messages);
  const { organizationId } = useWorkplace();
  const path = `~/dashboard${workplacePath({ organizationId, mode: 'test' })}/first-steps`;
  return (
    <Button component={Link} href={path} variant="default">
      {text.toTest}
    </Button>
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
  return mode === 'live' ? (
    <Page title={text.live} about={text.liveAbout} actions={<ToTestMode />}>
      <GoLive />
    </Page>
  ) : (
    <Page title={text.title} about={text.about}>
      <InTestMode />
    </Page>
  );
}
