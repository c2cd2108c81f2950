import { Combobox, Group, Loader, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue, useMounted } from '@mantine/hooks';
import { CreditCard, Search } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { graphql } from '../../api/graphql.ts';
import { PaymentStatus } from '../../parts/payment-status.tsx';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import classes from './palette.module.css';
import { type PaletteItem, useActions } from './use-actions.tsx';

const messages = texts(
  { label: 'Buscar pagamentos ou ir para…', results: 'Resultados' },
  { label: 'Search payments or go to…', results: 'Results' },
);

const paletteDocument = graphql(`
  query PalettePayments($text: String!) {
    searchPayments(text: $text, first: 6) {
      id
      amount
      amountPaid
      status
      overdue
      createdAt
      externalId
      payerName
    }
  }
`);

const minimumText = 2;

function usePayments(typed: string): { items: PaletteItem[]; isLoading: boolean } {
  const formats = useFormats();
  const [, navigate] = useLocation();
  const [text] = useDebouncedValue(typed, 200);
  const isSearched = text.length >= minimumText;
  const { data, isFetching } = useServiceQuery(
    paletteDocument,
    { text },
    { enabled: isSearched, keepPrevious: () => true },
  );
  const found = isSearched && typed.length >= minimumText ? (data?.searchPayments ?? []) : [];
  const items = found.map(
    ({ id, amount, amountPaid, status, overdue, createdAt, externalId, payerName }) => ({
      id,
      label: [formats.money(amountPaid ?? amount), externalId, payerName].filter(Boolean).join(' · '),
      icon: <CreditCard size={16} aria-hidden />,
      note: (
        <Group gap="xs" wrap="nowrap">
          <Text size="xs" c="dimmed" visibleFrom="xs">
            {formats.date(createdAt)}
          </Text>
          <PaymentStatus status={status} overdue={overdue} />
        </Group>
      ),
      run: () => {
        navigate(`/payments/${id}`);
      },
    }),
  );
  return { items, isLoading: isFetching || text !== typed };
}

/** Payments come first, then what else the text may mean. */
function Choices({ close }: { close: () => void }) {
  const text = useTexts(messages);
  // Mantine's own id changes after the input has named it.
  const listId = useId();
  const [typed, setTyped] = useState('');
  const sought = typed.trim();
  const { items: payments, isLoading } = usePayments(sought);
  const items = [...payments, ...useActions(sought)];
  const combobox = useCombobox({
    // It opens once the list is there, which the input names to screen readers.
    opened: useMounted(),
    onDropdownClose: (source) => {
      if (source === 'keyboard') close();
    },
  });
  const first = items[0]?.id;
  const { selectFirstOption } = combobox;
  useEffect(() => {
    selectFirstOption();
  }, [selectFirstOption, typed, first]);
  const run = (id: string) => {
    const item = items.find((each) => each.id === id);
    close();
    item?.run();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={run}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          variant="unstyled"
          size="md"
          px="xs"
          aria-label={text.label}
          placeholder={text.label}
          autoComplete="off"
          maxLength={600}
          leftSection={<Search size={16} aria-hidden />}
          rightSection={sought.length >= minimumText && isLoading ? <Loader size="xs" /> : undefined}
          value={typed}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.Options id={listId} aria-label={text.results} className={classes.list}>
        {items.map(({ id, label, icon, note }) => (
          <Combobox.Option key={id} value={id} className={classes.item}>
            <Group gap="sm" wrap="nowrap">
              {icon}
              <Text size="sm" truncate className={classes.name}>
                {label}
              </Text>
              {note}
            </Group>
          </Combobox.Option>
        ))}
      </Combobox.Options>
    </Combobox>
  );
}

export default function Palette({ close }: { close: () => void }) {
  const text = useTexts(messages);
  return (
    <Modal.Root opened onClose={close} size="lg" yOffset="10vh">
      <Modal.Overlay />
      <Modal.Content aria-label={text.label}>
        <Modal.Body p="xs">
          <Choices close={close} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
