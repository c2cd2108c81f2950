import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { Copyable } from '../../ui/copying/copy-button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { type ApiKey, createFirstKeyDocument } from './documents.ts';
import { Step } from './step.tsx';

const messages = texts(
  {
    title: 'Crie uma chave de teste',
    about: 'Seu servidor se autentica com esta chave. Com uma chave de teste, nenhum dinheiro é movimentado.',
    has: (name: string, hint: string) =>
      `Você já tem uma chave de teste: ${name} (${hint}). Se a guardou, siga para o passo 2.`,
    create: 'Criar chave de teste',
    another: 'Criar outra chave de teste',
    keyName: 'Primeiros passos',
    once: 'Copie agora: você não verá esta chave novamente. Ela já está no comando do passo 2.',
    key: 'Chave de API',
    forbidden: 'Sua função não permite criar chaves. Peça uma a um proprietário ou desenvolvedor.',
  },
  {
    title: 'Create a test key',
    about: 'Your server authenticates with this key. With a test key, no money moves.',
    has: (name: string, hint: string) =>
      `You already have a test key: ${name} (${hint}). If you saved it, go to step 2.`,
    create: 'Create a test key',
    another: 'Create another test key',
    keyName: 'Get started',
    once: 'Copy it now: you will not see this key again. It is already in the command of step 2.',
    key: 'API key',
    forbidden: 'Your role does not allow you to create keys. Ask an owner or a developer for one.',
  },
);

const isUsable = ({ mode, revokedAt, expiresAt }: ApiKey): boolean =>
  mode === 'test' && !revokedAt && !(expiresAt && Date.parse(expiresAt) < Date.now());

interface KeyStepProps {
  apiKeys: ApiKey[];
  created: string | undefined;
  onCreated: (key: string) => void;
}

export function KeyStep({ apiKeys, created, onCreated }: KeyStepProps) {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const create = useServiceMutation(createFirstKeyDocument);
  const existing = apiKeys.find(isUsable);
  const createKey = () => {
    create.mutate(
      { name: text.keyName },
      {
        onSuccess: ({ createApiKey }) => {
          onCreated(createApiKey.key);
        },
      },
    );
  };
  return (
    <Step number={1} title={text.title} isDone={!!existing}>
      <Text size="sm" c="dimmed">
        {text.about}
      </Text>
      {created ? (
        <Alert color="yellow">
          <Stack gap="xs">
            <Text size="sm">{text.once}</Text>
            <Copyable value={created} label={text.key} />
          </Stack>
        </Alert>
      ) : (
        existing && <Text size="sm">{text.has(existing.name, existing.hint)}</Text>
      )}
      <ErrorAlert error={create.error} />
      {!may('test-keys:manage') && <Text size="sm">{text.forbidden}</Text>}
      {may('test-keys:manage') && !created && (
        <Group>
          <Button
            variant={existing ? 'default' : 'filled'}
            leftSection={<KeyRound size={16} aria-hidden />}
            loading={create.isPending}
            onClick={createKey}
          >
            {existing ? text.another : text.create}
          </Button>
        </Group>
      )}
    </Step>
  );
}
