import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { DialogButton, LeaveButton } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import {
  type Credential,
  type CredentialRemoval,
  credentialRemovalDocument,
  removeCredentialDocument,
  restoreCredentialDocument,
} from './base/documents.ts';

const messages = texts(
  {
    remove: 'Remover',
    title: (name: string) => `Remover ${name}`,
    inUse: 'Ainda não é possível: cobranças são direcionadas a esta credencial.',
    isDefault: 'É a credencial padrão. Torne outra a padrão.',
    isDefaultFallback: 'É contingência da credencial padrão. Retire-a da contingência.',
    diverted: (name: string) => `Recebe as cobranças de ${name}. Desfaça o direcionamento.`,
    ruleSet: (name: string) => `A regra “${name}” a usa. Escolha outra credencial nela.`,
    unused: 'Esta credencial nunca foi usada: ela e os dados de acesso guardados aqui serão excluídos.',
    forGood: 'Não será possível desfazer.',
    used: 'Esta credencial já foi usada, por isso será arquivada:',
    effects: [
      'não recebe novas cobranças e some das opções e das regras;',
      'o que já foi cobrado nela continua a ser confirmado, estornado e conciliado;',
      'você pode restaurá-la a qualquer momento.',
    ],
    delete: 'Excluir',
    archive: 'Arquivar',
    deleted: 'Credencial excluída.',
    archived: 'Credencial arquivada.',
    restore: 'Restaurar',
    restored: 'Credencial restaurada. Ative-a para que receba cobranças.',
  },
  {
    remove: 'Remove',
    title: (name: string) => `Remove ${name}`,
    inUse: 'Not yet: payments are routed to this credential.',
    isDefault: 'It is the default credential. Make another one the default.',
    isDefaultFallback: 'It is a fallback of the default credential. Take it out of the fallbacks.',
    diverted: (name) => `Payments of ${name} are routed to it. Undo that.`,
    ruleSet: (name: string) => `The rule “${name}” uses it. Choose another credential there.`,
    unused: 'This credential was never used: it will be deleted, with the access data stored here.',
    forGood: 'This cannot be undone.',
    used: 'This credential has been used, so it will be archived:',
    effects: [
      'it takes no new payments and vanishes from choices and rules;',
      'what was charged with it is still confirmed, refunded and reconciled;',
      'you can restore it at any time.',
    ],
    delete: 'Delete',
    archive: 'Archive',
    deleted: 'Credential deleted.',
    archived: 'Credential archived.',
    restore: 'Restore',
    restored: 'Credential restored. Enable it to have it take payments.',
  },
);

function Places({ isDefault, isDefaultFallback, ruleSets, divertedHere }: CredentialRemoval) {
  const text = useTexts(messages);
  return (
    <Stack gap="xs">
      <Text size="sm">{text.inUse}</Text>
      <List size="sm">
        {isDefault && <List.Item>{text.isDefault}</List.Item>}
        {isDefaultFallback && <List.Item>{text.isDefaultFallback}</List.Item>}
        {divertedHere.map(({ id, name }) => (
          <List.Item key={id}>{text.diverted(name)}</List.Item>
        ))}
        {ruleSets.map(({ id, name }) => (
          <List.Item key={id}>
            <Anchor component={Link} href="/rule-sets" size="sm">
              {text.ruleSet(name)}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

function Effects({ isUsed }: CredentialRemoval) {
  const text = useTexts(messages);
  if (!isUsed) {
    return (
      <Text size="sm">
        {text.unused} <b>{text.forGood}</b>
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Text size="sm">{text.used}</Text>
      <List size="sm">
        {text.effects.map((effect) => (
          <List.Item key={effect}>{effect}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

function Removal({ id, onClose }: { id: string; onClose: () => void }) {
  const text = useTexts(messages);
  const removal = useServiceQuery(credentialRemovalDocument, { id });
  const remove = useServiceMutation(removeCredentialDocument);
  const confirm = () => {
    remove.mutate(
      { id },
      {
        onSuccess: ({ removeCredential: outcome }) => {
          onClose();
          notify(text[outcome]);
        },
      },
    );
  };
  return (
    <QueryResult result={removal}>
      {({ credentialRemoval: found }) => {
        const { isDefault, isDefaultFallback, ruleSets, divertedHere } = found;
        const isFree = !isDefault && !isDefaultFallback && ruleSets.length === 0 && divertedHere.length === 0;
        const action = isFree ? (found.isUsed ? text.archive : text.delete) : undefined;
        return (
          <Stack>
            {isFree ? <Effects {...found} /> : <Places {...found} />}
            <ErrorAlert error={remove.error} />
            <Group justify="flex-end">
              <LeaveButton action={action} onClick={onClose} disabled={remove.isPending} />
              {action && (
                <Button color="red" loading={remove.isPending} onClick={confirm}>
                  {action}
                </Button>
              )}
            </Group>
          </Stack>
        );
      }}
    </QueryResult>
  );
}

/** Says first what will happen, or what must be changed before. */
export function RemoveCredential({ credential: { id, name } }: { credential: Credential }) {
  const text = useTexts(messages);
  return (
    <DialogButton
      label={text.remove}
      subject={name}
      title={text.title(name)}
      variant="subtle"
      color="red"
      size="xs"
    >
      {(close) => <Removal id={id} onClose={close} />}
    </DialogButton>
  );
}

export function RestoreCredential({ credential: { id, name } }: { credential: Credential }) {
  const text = useTexts(messages);
  const restore = useServiceMutation(restoreCredentialDocument, text.restored);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        loading={restore.isPending}
        aria-label={`${text.restore}: ${name}`}
        onClick={() => {
          restore.mutate({ id });
        }}
      >
        {text.restore}
      </Button>
      <ErrorAlert error={restore.error} />
    </>
  );
}
