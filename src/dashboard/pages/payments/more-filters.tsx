import { Button, Group, Popover, Select, Stack } from '@mantine/core';
import { SlidersHorizontal } from 'lucide-react';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { DateInput } from '../../ui/date-range/date-input.tsx';
import { MoneyInput } from '../../ui/inputs/money-input.tsx';
import { credentialChoicesDocument } from './documents.ts';
import { type FilterProps, moreFilters } from './use-filters.ts';
import { useTyped } from '../../ui/inputs/use-typed.ts';

const messages = texts(
  {
    more: 'Mais filtros',
    active: (count: number) => `Mais filtros (${count})`,
    hour: 'Criado às (do primeiro dia do período)',
    payer: 'Pagador',
    payerAbout: 'CPF, CNPJ, e-mail ou telefone completos, ou o começo de nomes',
    credential: 'Credencial',
    provider: 'Provedor',
    min: 'Valor mínimo',
    max: 'Valor máximo',
    paidFrom: 'Pago de',
    paidTo: 'Pago até',
    dueFrom: 'Vence de',
    dueTo: 'Vence até',
    clear: 'Limpar',
  },
  {
    more: 'More filters',
    active: (count: number) => `More filters (${count})`,
    hour: 'Created at (of the first day of the period)',
    payer: 'Payer',
    payerAbout: 'Complete CPF, CNPJ, e-mail or phone, or the beginning of names',
    credential: 'Credential',
    provider: 'Provider',
    min: 'Minimum amount',
    max: 'Maximum amount',
    paidFrom: 'Paid from',
    paidTo: 'Paid until',
    dueFrom: 'Due from',
    dueTo: 'Due until',
    clear: 'Clear',
  },
);

function PayerInput({ filters, change }: FilterProps) {
  const text = useTexts(messages);
  const { typed, type } = useTyped(filters.payer, (payer) => {
    change({ payer });
  });
  return (
    <TextInput
      label={text.payer}
      description={text.payerAbout}
      value={typed}
      maxLength={254}
      onChange={({ currentTarget: { value } }) => {
        type(value);
      }}
    />
  );
}

function Fields({ filters, change }: FilterProps) {
  const text = useTexts(messages);
  const providerName = useProviderName();
  const { may } = useWorkplace();
  const { data } = useServiceQuery(credentialChoicesDocument, {});
  const credentials = data?.credentials ?? [];
  const providers = [...new Set([...credentials.map(({ provider }) => provider), 'sandbox'])];
  const amount = (value: string) => (value === '' ? '' : Number(value));
  return (
    <Stack gap="sm" w={280}>
      {filters.from && (
        <Select
          label={text.hour}
          clearable
          comboboxProps={{ withinPortal: false }}
          value={filters.hour || null}
          data={Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${hour}h` }))}
          onChange={(hour) => {
            change({ hour: hour ?? '' });
          }}
        />
      )}
      {may('payers:read') && <PayerInput filters={filters} change={change} />}
      <Select
        label={text.credential}
        clearable
        searchable
        comboboxProps={{ withinPortal: false }}
        value={filters.credential || null}
        data={credentials.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(credential) => {
          change({ credential: credential ?? '' });
        }}
      />
      <Select
        label={text.provider}
        clearable
        comboboxProps={{ withinPortal: false }}
        value={filters.provider || null}
        data={providers.map((provider) => ({ value: provider, label: providerName(provider) }))}
        onChange={(provider) => {
          change({ provider: provider ?? '' });
        }}
      />
      <Group grow gap="sm">
        {(['min', 'max'] as const).map((name) => (
          <MoneyInput
            key={name}
            label={text[name]}
            value={amount(filters[name])}
            onChange={(value) => {
              change({ [name]: value === '' ? '' : String(value) });
            }}
          />
        ))}
      </Group>
      {(['paidFrom', 'paidTo', 'dueFrom', 'dueTo'] as const).map((name) => (
        <DateInput
          key={name}
          label={text[name]}
          value={filters[name]}
          onChange={(day) => {
            change({ [name]: day });
          }}
        />
      ))}
    </Stack>
  );
}

export function MoreFilters({ filters, change }: FilterProps) {
  const text = useTexts(messages);
  const count = moreFilters.filter((name) => filters[name]).length;
  return (
    <Popover trapFocus returnFocus position="bottom-end" shadow="md">
      <Popover.Target>
        <Button
          variant={count > 0 ? 'light' : 'default'}
          fw={400}
          px="xs"
          leftSection={<SlidersHorizontal size={16} aria-hidden />}
        >
          {count > 0 ? text.active(count) : text.more}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Fields filters={filters} change={change} />
        {count > 0 && (
          <Button
            mt="sm"
            size="xs"
            variant="subtle"
            onClick={() => {
              change(Object.fromEntries(moreFilters.map((name) => [name, ''])));
            }}
          >
            {text.clear}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
