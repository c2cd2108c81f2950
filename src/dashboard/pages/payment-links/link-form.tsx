import { Input, SegmentedControl, SimpleGrid, Stack, Switch } from '@mantine/core';
import { useId, useState } from 'react';
import { DateInput } from '../../ui/date-range/date-input.tsx';
import { dayIn, endOfDay } from '../../ui/date-range/ranges.ts';
import { latestDay } from '../../ui/date-range/typed-date.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Textarea, TextInput } from '../../ui/inputs/fields.tsx';
import { Fold } from '../../ui/inputs/fold.tsx';
import { MoneyInput } from '../../ui/inputs/money-input.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { texts, useTexts, useTimeZone } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { createPaymentLinkDocument } from './documents.ts';
import { dueFields, dueInputOf, LinkDueFields, noDue } from './link-due-fields.tsx';
import { type Route, RouteSelect } from './route-select.tsx';

const messages = texts(
  {
    kind: 'Quem define o valor',
    fixed: 'Valor fixo',
    open: 'Quem paga escolhe',
    amount: 'Valor',
    minimum: 'Valor mínimo',
    maximum: 'Valor máximo',
    optional: 'Opcional',
    description: 'Descrição',
    descriptionAbout: 'O que está sendo pago. Quem paga vê este texto.',
    singleUse: 'Um único pagamento',
    singleUseAbout: 'O link se encerra quando for pago.',
    expires: 'Válido até',
    expiresAbout: 'Até o fim deste dia. Sem data, vale até ser desativado.',
    more: 'Configurações opcionais',
    returnUrl: 'URL de retorno',
    returnUrlAbout: 'Para onde leva o botão “Voltar” da página de pagamento. HTTPS.',
  },
  {
    kind: 'Who sets the amount',
    fixed: 'Fixed amount',
    open: 'The payer chooses',
    amount: 'Amount',
    minimum: 'Minimum amount',
    maximum: 'Maximum amount',
    optional: 'Optional',
    description: 'Description',
    descriptionAbout: 'What is being paid for. Payers see this text.',
    singleUse: 'One payment only',
    singleUseAbout: 'The link ends once it is paid.',
    expires: 'Valid until',
    expiresAbout: 'Until the end of this day. Without a date, the link is valid until deactivated.',
    more: 'Optional settings',
    returnUrl: 'Return URL',
    returnUrlAbout: 'Where the “Back” button of the checkout page leads. HTTPS.',
  },
);

type AmountKind = 'fixed' | 'open';
type Reais = number | '';

const optionalFields = ['returnUrl', 'credentialId', 'ruleSetId'];
const fields = [
  'amount',
  'minimumAmount',
  'maximumAmount',
  'description',
  'expiresAt',
  ...dueFields,
  ...optionalFields,
];

const given = <Value,>(value: Value | ''): Value | null => (value === '' ? null : value);

interface LinkFormProps {
  submit: string;
  onCreated: (id: string) => void;
  onCancel: () => void;
}

export function LinkForm({ submit, onCreated, onCancel }: LinkFormProps) {
  const text = useTexts(messages);
  const timeZone = useTimeZone();
  const kindId = useId();
  const create = useServiceMutation(createPaymentLinkDocument);
  const fieldError = useFieldErrors(create.error);
  const [kind, setKind] = useState<AmountKind>('fixed');
  const [amount, setAmount] = useState<Reais>('');
  const [minimum, setMinimum] = useState<Reais>('');
  const [maximum, setMaximum] = useState<Reais>('');
  const [description, setDescription] = useState('');
  const [singleUse, setSingleUse] = useState(false);
  const [lastDay, setLastDay] = useState('');
  const [due, setDue] = useState(noDue);
  const [returnUrl, setReturnUrl] = useState('');
  const [route, setRoute] = useState<Route>();
  const amounts =
    kind === 'fixed'
      ? { amount: given(amount) }
      : { minimumAmount: given(minimum), maximumAmount: given(maximum) };
  const send = () => {
    const input = {
      ...amounts,
      description: given(description.trim()),
      singleUse,
      expiresAt: lastDay ? endOfDay(lastDay, timeZone) : null,
      ...dueInputOf(due),
      returnUrl: given(returnUrl.trim()),
      ...route,
    };
    create.mutate(
      { input },
      {
        onSuccess: ({ createPaymentLink }) => {
          onCreated(createPaymentLink.id);
        },
      },
    );
  };
  return (
    <DialogForm submit={submit} mutation={create} onSubmit={send} onCancel={onCancel} fields={fields}>
      <Stack gap={4}>
        <Input.Label id={kindId} labelElement="div">
          {text.kind}
        </Input.Label>
        <SegmentedControl
          fullWidth
          aria-labelledby={kindId}
          data={[
            { value: 'fixed', label: text.fixed },
            { value: 'open', label: text.open },
          ]}
          value={kind}
          onChange={(chosen) => {
            setKind(chosen === 'open' ? 'open' : 'fixed');
          }}
        />
      </Stack>
      {kind === 'fixed' ? (
        <MoneyInput
          label={text.amount}
          required
          withAsterisk={false}
          error={fieldError('amount')}
          value={amount}
          onChange={setAmount}
        />
      ) : (
        <SimpleGrid cols={2}>
          <MoneyInput
            label={text.minimum}
            placeholder={text.optional}
            error={fieldError('minimumAmount')}
            value={minimum}
            onChange={setMinimum}
          />
          <MoneyInput
            label={text.maximum}
            placeholder={text.optional}
            error={fieldError('maximumAmount')}
            value={maximum}
            onChange={setMaximum}
          />
        </SimpleGrid>
      )}
      <Textarea
        label={text.description}
        description={text.descriptionAbout}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={500}
        error={fieldError('description')}
        value={description}
        onChange={(event) => {
          setDescription(event.currentTarget.value);
        }}
      />
      <Switch
        label={text.singleUse}
        description={text.singleUseAbout}
        checked={singleUse}
        onChange={(event) => {
          setSingleUse(event.currentTarget.checked);
        }}
      />
      <DateInput
        label={text.expires}
        description={text.expiresAbout}
        first={dayIn(timeZone)}
        last={latestDay}
        error={fieldError('expiresAt')}
        value={lastDay}
        onChange={setLastDay}
      />
      <LinkDueFields draft={due} onChange={setDue} fieldError={fieldError} />
      <Fold label={text.more} hasError={optionalFields.some((field) => fieldError(field) !== undefined)}>
        <TextInput
          label={text.returnUrl}
          description={text.returnUrlAbout}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          error={fieldError('returnUrl')}
          value={returnUrl}
          onChange={(event) => {
            setReturnUrl(event.currentTarget.value);
          }}
        />
        <RouteSelect
          error={fieldError('credentialId') ?? fieldError('ruleSetId')}
          value={route}
          onChange={setRoute}
        />
      </Fold>
    </DialogForm>
  );
}
