import { Button, Group, Paper, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Role, roleMay, roles } from '../../../domain/people/roles.ts';
import { MoneyInput } from '../../ui/money-input.tsx';
import { roleTexts } from '../../parts/role-texts.ts';
import { FailureAlert } from '../../ui/error-alert.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { notify, useServiceMutation } from '../../shell/use-service.ts';
import { type Settings, updateSettingsDocument } from './documents.ts';

const said = texts(
  {
    title: 'Regras',
    about:
      'Valem em produção. Tornar as regras mais rígidas vale na hora; afrouxá-las espera outro proprietário. A organização precisa de dois.',
    changes:
      'Alterações de credenciais, regras de roteamento e URLs de webhooks de produção esperam outra pessoa',
    above: 'Estornos acima deste valor esperam outra pessoa',
    aboveAbout: 'Soma o que já está sendo estornado do mesmo pagamento. Vazio: nenhum espera.',
    limits: 'Limites de estorno por dia, para cada pessoa',
    limitsAbout: 'Por dia de Brasília. Vazio: sem limite. O limite de uma chave fica na página das chaves.',
    save: 'Salvar',
    saved: 'As regras foram salvas.',
  },
  {
    title: 'Rules',
    about:
      'They hold in live mode. Stricter rules hold at once; looser ones wait for another owner. The organization needs two.',
    changes: 'Changes of credentials, routing rules and live webhook URLs wait for another person',
    above: 'Refunds above this amount wait for another person',
    aboveAbout: 'Counts what is being refunded of the same payment. Empty: none waits.',
    limits: 'Refund limits per day, for each person',
    limitsAbout: 'Per day of Brasília. Empty: no limit. The limit of a key is on the page of the keys.',
    save: 'Save',
    saved: 'The rules are saved.',
  },
);

const refunding = roles.filter((role) => roleMay(role, 'payments:refund'));

type Limits = Readonly<Partial<Record<Role, number | ''>>>;

const orNull = (amount: number | '' | undefined): number | null =>
  typeof amount === 'number' ? amount : null;

/** For owners. What is stored stays in the form until it is saved. */
export function ApprovalSettings({ settings }: { settings: Settings }) {
  const text = useTexts(said);
  const roleNames = useTexts(roleTexts);
  const [changesNeedApproval, setChangesNeedApproval] = useState(settings.changesNeedApproval);
  const [above, setAbove] = useState<number | ''>(settings.refundApprovalAbove ?? '');
  const [limits, setLimits] = useState<Limits>(
    Object.fromEntries(settings.refundLimits.map(({ role, amountPerDay }) => [role, amountPerDay])),
  );
  const update = useServiceMutation(updateSettingsDocument);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const refundLimits = refunding.map((role) => ({ role, amountPerDay: orNull(limits[role]) }));
    update.mutate(
      { input: { changesNeedApproval, refundApprovalAbove: orNull(above), refundLimits } },
      {
        onSuccess: () => {
          notify(text.saved);
        },
      },
    );
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={text.title}>
      <form onSubmit={save}>
        <Stack>
          <Title order={2} size="h4">
            {text.title}
          </Title>
          <Text size="sm" c="dimmed">
            {text.about}
          </Text>
          <Switch
            label={text.changes}
            checked={changesNeedApproval}
            onChange={(event) => {
              setChangesNeedApproval(event.currentTarget.checked);
            }}
          />
          <MoneyInput
            label={text.above}
            description={text.aboveAbout}
            value={above}
            onChange={setAbove}
            maw={360}
          />
          <Stack gap={2}>
            <Text size="sm" fw={600}>
              {text.limits}
            </Text>
            <Text size="xs" c="dimmed">
              {text.limitsAbout}
            </Text>
          </Stack>
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            {refunding.map((role) => (
              <MoneyInput
                key={role}
                label={roleNames[role]}
                value={limits[role] ?? ''}
                onChange={(amount) => {
                  setLimits({ ...limits, [role]: amount });
                }}
              />
            ))}
          </SimpleGrid>
          <FailureAlert error={update.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={update.isPending}>
              {text.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
