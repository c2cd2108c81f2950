import { Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { isAwaitingApproval } from '../../api/service-error.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace, workplacePath } from '../../base/use-workplace.ts';
import { DialogButton, LeaveButton } from '../../ui/dialog.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import {
  deleteRuleSetDocument,
  type RuleSet,
  type RuleSetUse,
  ruleSetUseDocument,
} from './base/documents.ts';

const messages = texts(
  {
    delete: 'Excluir',
    inUse: 'Ainda não é possível: cobranças seguem esta regra.',
    isDefault: {
      test: 'É a regra padrão em teste. Torne outra a padrão, ou remova-a como padrão.',
      live: 'É a regra padrão em produção. Torne outra a padrão, ou remova-a como padrão.',
    },
    links: (count: number) =>
      count === 1
        ? 'Um link de pagamento ativo a usa. Desative-o:'
        : `${count} links de pagamento ativos a usam. Desative-os:`,
    more: 'e outros',
    unused: 'Não é a regra padrão, e nenhum link de pagamento ativo a usa.',
    effects: [
      'as cobranças já criadas não mudam;',
      'novas cobranças que informarem o ruleSetId dela serão recusadas.',
    ],
    forGood: 'Não será possível desfazer.',
    deleted: 'Regra excluída.',
  },
  {
    delete: 'Delete',
    inUse: 'Not yet: payments follow this rule.',
    isDefault: {
      test: 'It is the default rule in test mode. Make another one the default, or remove it as default.',
      live: 'It is the default rule in live mode. Make another one the default, or remove it as default.',
    },
    links: (count: number) =>
      count === 1
        ? 'An active payment link uses it. Deactivate it:'
        : `${count} active payment links use it. Deactivate them:`,
    more: 'and others',
    unused: 'It is not the default rule, and no active payment link uses it.',
    effects: [
      'payments that were created already do not change;',
      'new payments that name its ruleSetId will be refused.',
    ],
    forGood: 'This cannot be undone.',
    deleted: 'Routing rule deleted.',
  },
);

function Uses({ defaultIn, paymentLinkCount, paymentLinks }: RuleSetUse) {
  const text = useTexts(messages);
  const { organizationId } = useWorkplace();
  const placeOf = (isTest: boolean) => workplacePath({ organizationId, mode: isTest ? 'test' : 'live' });
  return (
    <Stack gap="xs">
      <Text size="sm">{text.inUse}</Text>
      {defaultIn.map((mode) => (
        <Text key={mode} size="sm">
          {text.isDefault[mode]}
        </Text>
      ))}
      {paymentLinkCount > 0 && (
        <>
          <Text size="sm">{text.links(paymentLinkCount)}</Text>
          <List size="sm">
            {paymentLinks.map(({ id, description, isTest }) => (
              <List.Item key={id}>
                <Anchor
                  component={Link}
                  href={`~/dashboard${placeOf(isTest)}/payment-links/${id}`}
                  size="sm"
                  style={{ overflowWrap: 'anywhere' }}
                >
                  {description ?? id}
                </Anchor>
              </List.Item>
            ))}
            {paymentLinkCount > paymentLinks.length && <List.Item>{text.more}</List.Item>}
          </List>
        </>
      )}
    </Stack>
  );
}

function Deletion({ id, onClose }: { id: string; onClose: () => void }) {
  const text = useTexts(messages);
  const use = useServiceQuery(ruleSetUseDocument, { id });
  const remove = useServiceMutation(deleteRuleSetDocument, text.deleted);
  const confirm = () => {
    remove.mutate({ id }, { onSuccess: onClose });
  };
  return (
    <QueryResult result={use}>
      {({ ruleSetUse: found }) => {
        const isFree = found.defaultIn.length === 0 && found.paymentLinkCount === 0;
        return (
          <Stack>
            {isFree ? (
              <Stack gap="xs">
                <Text size="sm">{text.unused}</Text>
                <List size="sm">
                  {text.effects.map((effect) => (
                    <List.Item key={effect}>{effect}</List.Item>
                  ))}
                </List>
                <Text size="sm" fw={700}>
                  {text.forGood}
                </Text>
              </Stack>
            ) : (
              <Uses {...found} />
            )}
            <ErrorAlert error={remove.error} />
            <Group justify="flex-end">
              <LeaveButton
                action={isFree ? text.delete : undefined}
                onClick={onClose}
                disabled={remove.isPending}
              />
              {isFree && (
                <Button
                  color="red"
                  loading={remove.isPending}
                  disabled={isAwaitingApproval(remove.error)}
                  onClick={confirm}
                >
                  {text.delete}
                </Button>
              )}
            </Group>
          </Stack>
        );
      }}
    </QueryResult>
  );
}

/** Requires `rule-sets:manage`. Says first what uses it, which must be changed before. */
export function DeleteRuleSet({ ruleSet: { id, name } }: { ruleSet: RuleSet }) {
  const text = useTexts(messages);
  return (
    <DialogButton label={text.delete} subject={name} variant="subtle" color="red" size="xs">
      {(close) => <Deletion id={id} onClose={close} />}
    </DialogButton>
  );
}
