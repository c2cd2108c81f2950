import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { Zap } from 'lucide-react';
import { CopyIcon } from '../../ui/copying/copy-button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { createTestPaymentDocument } from './due/create-test-payment.ts';
import { DueButton } from './due/due-button.tsx';
import { Step } from './step.tsx';

const messages = texts(
  {
    title: 'Crie uma cobrança',
    paste: 'Cole este comando em um terminal. A cobrança aparece aqui assim que for criada.',
    replace: 'Substitua SUA_CHAVE pela sua chave de teste.',
    yourKey: 'SUA_CHAVE',
    command: 'Comando',
    or: 'Sem um terminal?',
    create: 'Criar cobrança de teste',
    another: 'Criar outra cobrança',
    description: 'Minha primeira cobrança',
    payer: 'Fulana de Tal',
    forbidden: 'Sua função não permite criar cobranças. As que outras pessoas criarem aparecem aqui.',
  },
  {
    title: 'Create a payment',
    paste: 'Paste this command into a terminal. The payment appears here as soon as it is created.',
    replace: 'Replace YOUR_KEY with your test key.',
    yourKey: 'YOUR_KEY',
    command: 'Command',
    or: 'No terminal?',
    create: 'Create test payment',
    another: 'Create another payment',
    description: 'My first payment',
    payer: 'Jane Doe',
    forbidden: 'Your role does not allow you to create payments. Payments created by others appear here.',
  },
);

export const commandOf = (key: string, amount = 19.9): string =>
  [
    `curl ${location.origin}/v1/payments`,
    `  -H 'X-API-Key: ${key}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '{"amount": ${amount.toFixed(2)}}'`,
  ].join(' \\\n');

function Command({ apiKey }: { apiKey: string | undefined }) {
  const text = useTexts(messages);
  const curl = commandOf(apiKey ?? text.yourKey);
  return (
    <>
      <Text size="sm">
        {text.paste} {!apiKey && text.replace}
      </Text>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <Code block flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {curl}
        </Code>
        <CopyIcon value={curl} label={text.command} />
      </Group>
    </>
  );
}

/** Some providers require a payer; this one is fictitious. */
const examplePayer = { document: '12345678909', email: 'pagador@example.com', phone: '+5511999999999' };

export function PaymentStep({ apiKey, isDone }: { apiKey: string | undefined; isDone: boolean }) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const create = useServiceMutation(createTestPaymentDocument);
  const input = { description: text.description, payer: { name: text.payer, ...examplePayer } };
  const createPayment = () => {
    create.mutate({ input: { amount: 19.9, ...input } });
  };
  return (
    <Step number={2} title={text.title} isDone={isDone}>
      <Command apiKey={apiKey} />
      {may('payments:try') ? (
        <Stack gap="xs" align="flex-start">
          {!isDone && <Text size="sm">{text.or}</Text>}
          <Group gap="xs">
            <Button
              variant={isDone ? 'default' : 'filled'}
              leftSection={<Zap size={16} aria-hidden />}
              loading={create.isPending}
              onClick={createPayment}
            >
              {isDone ? text.another : text.create}
            </Button>
            <DueButton input={input} />
          </Group>
        </Stack>
      ) : (
        <Text size="sm">{text.forbidden}</Text>
      )}
      <ErrorAlert error={create.error} />
    </Step>
  );
}
