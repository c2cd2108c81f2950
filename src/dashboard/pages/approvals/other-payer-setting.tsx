import { Radio, Stack } from '@mantine/core';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { type Settings, updateSettingsDocument } from './documents.ts';
import { BorderedSection } from '../../ui/page.tsx';

const messages = texts(
  {
    title: 'Cobrança paga por outra pessoa',
    about:
      'Quando o provedor informa quem pagou e o CPF ou CNPJ não é o do pagador da cobrança. Vale em teste e em produção, para pagamentos recebidos a partir de agora.',
    refundAbout: 'As regras de aprovação de estornos também valem aqui.',
    saved: 'Regras salvas.',
  },
  {
    title: 'Charge paid by somebody else',
    about:
      'When the provider tells who paid, and the CPF or CNPJ is not that of the payer of the charge. Applies to test and live mode, to payments received from now on.',
    refundAbout: 'The rules for approving refunds apply here too.',
    saved: 'Rules saved.',
  },
);

export const otherPayerTexts = texts(
  {
    ignore: 'Só mostrar no pagamento',
    flag: 'Marcar para conferência',
    refund: 'Estornar o valor integral',
  },
  {
    ignore: 'Only show it on the payment',
    flag: 'Mark it for review',
    refund: 'Refund the whole amount',
  },
);

const rules = ['ignore', 'flag', 'refund'] as const;

/** Only owners see it. */
export function OtherPayerSetting({ otherPayer }: Pick<Settings, 'otherPayer'>) {
  const text = useTexts(messages);
  const names = useTexts(otherPayerTexts);
  const update = useServiceMutation(updateSettingsDocument, text.saved);
  const choose = (chosen: string) => {
    const rule = rules.find((each) => each === chosen);
    if (!rule) return;
    update.mutate({ input: { otherPayer: rule } });
  };
  return (
    <BorderedSection title={text.title}>
      <Radio.Group aria-label={text.title} description={text.about} value={otherPayer} onChange={choose}>
        <Stack gap="xs" mt="sm">
          {rules.map((rule) => (
            <Radio
              key={rule}
              value={rule}
              label={names[rule]}
              disabled={update.isPending}
              {...(rule === 'refund' && { description: text.refundAbout })}
            />
          ))}
        </Stack>
      </Radio.Group>
      <ErrorAlert error={update.error} />
    </BorderedSection>
  );
}
