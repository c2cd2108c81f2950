import { Button, Group, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Role, roleMay, roles } from '../../../core/base/roles.ts';
import { MoneyInput } from '../../ui/inputs/money-input.tsx';
import { roleTexts } from '../../parts/role-texts.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { BorderedSection } from '../../ui/page.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { type Settings, updateSettingsDocument } from './documents.ts';

const messages = texts(
  {
    title: 'Regras',
    about:
      'Valem em produção. Regras mais rígidas entram em vigor na hora; para afrouxá-las, outro proprietário precisa aprovar. A organização precisa de pelo menos dois proprietários.',
    changes: 'Exigir aprovação para alterar credenciais, regras de roteamento e URLs de webhooks de produção',
    endings: 'Exigir aprovação para cancelar recorrências de produção',
    endingsAbout:
      'Vale também para chaves de API. Deixe desligado se um sistema seu cancela assinaturas por conta própria.',
    above: 'Exigir aprovação para estornos acima de',
    aboveAbout: 'Considera a soma dos estornos do mesmo pagamento. Deixe vazio para não exigir.',
    limits: 'Limite diário de estornos por pessoa',
    limitsAbout:
      'Por dia, no horário de Brasília. Deixe vazio para não limitar. O limite de cada chave fica em Chaves de API.',
    save: 'Salvar',
    saved: 'Regras salvas.',
  },
  {
    title: 'Rules',
    about:
      'Apply to live mode. Stricter rules take effect immediately; relaxing them requires the approval of another owner. The organization needs at least two owners.',
    changes: 'Require approval to change credentials, routing rules and live webhook URLs',
    endings: 'Require approval to cancel live recurrences',
    endingsAbout:
      'Applies to API keys too. Leave it off if a system of yours cancels subscriptions by itself.',
    above: 'Require approval for refunds above',
    aboveAbout: 'Applies to the total refunded on the same payment. Leave empty to never require it.',
    limits: 'Daily refund limit per person',
    limitsAbout: 'Per day, Brasília time. Leave empty for no limit. Limits for keys are set under API keys.',
    save: 'Save',
    saved: 'Rules saved.',
  },
);

const refunding = roles.filter((role) => roleMay(role, 'payments:refund'));

type Limits = Readonly<Partial<Record<Role, number | ''>>>;

const orNull = (amount: number | '' | undefined): number | null =>
  typeof amount === 'number' ? amount : null;

/** Only owners see it. */
export function ApprovalSettings({ settings }: { settings: Settings }) {
  const text = useTexts(messages);
  const roleNames = useTexts(roleTexts);
  const [changesNeedApproval, setChangesNeedApproval] = useState(settings.changesNeedApproval);
  const [recurrenceEndingsNeedApproval, setEndings] = useState(settings.recurrenceEndingsNeedApproval);
  const [above, setAbove] = useState<number | ''>(settings.refundApprovalAbove ?? '');
  const [limits, setLimits] = useState<Limits>(
    Object.fromEntries(settings.refundLimits.map(({ role, amountPerDay }) => [role, amountPerDay])),
  );
  const update = useServiceMutation(updateSettingsDocument, text.saved);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const refundLimits = refunding.map((role) => ({ role, amountPerDay: orNull(limits[role]) }));
    const refundApprovalAbove = orNull(above);
    update.mutate({
      input: { changesNeedApproval, recurrenceEndingsNeedApproval, refundApprovalAbove, refundLimits },
    });
  };
  return (
    <BorderedSection title={text.title} about={text.about}>
      <form onSubmit={save}>
        <Stack>
          <Switch
            label={text.changes}
            checked={changesNeedApproval}
            onChange={(event) => {
              setChangesNeedApproval(event.currentTarget.checked);
            }}
          />
          <Switch
            label={text.endings}
            description={text.endingsAbout}
            checked={recurrenceEndingsNeedApproval}
            onChange={(event) => {
              setEndings(event.currentTarget.checked);
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
          <ErrorAlert error={update.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={update.isPending}>
              {text.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </BorderedSection>
  );
}
