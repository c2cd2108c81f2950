import { List, Stack, Text } from '@mantine/core';
import { texts, useTexts } from '../../../base/language.tsx';
import { columns, columnTexts, requiredColumns } from './columns.ts';

const messages = texts(
  {
    about: 'Salve a planilha como CSV. A primeira linha tem os nomes das colunas, em qualquer ordem:',
    required: 'obrigatório',
    hints: {
      amount: '350,00 ou 350.00',
      name: 'nome do pagador',
      document: 'CPF ou CNPJ do pagador',
      email: '',
      dueDate: '31/12/2026',
      fine: '2% ou, em reais, 5,00',
      interest: '1% ao mês ou, em reais por dia, 0,50',
      discount: '5% ou, em reais, 10,00',
      discountUntil: 'se vazio, vale até o vencimento',
      externalId: 'a sua, para encontrar o pagamento',
      description: '',
    },
  },
  {
    about: 'Save the spreadsheet as CSV. Its first row names the columns, in any order:',
    required: 'required',
    hints: {
      amount: '350.00 or 350,00',
      name: 'of the payer',
      document: 'of the payer',
      email: '',
      dueDate: '31/12/2026',
      fine: '2% or, in BRL, 5.00',
      interest: '1% a month or, in BRL a day, 0.50',
      discount: '5% or, in BRL, 10.00',
      discountUntil: 'the due date if left empty',
      externalId: 'your own, to find the payment by',
      description: '',
    },
  },
);

/** Says which columns a file may have. */
export function ColumnHelp() {
  const text = useTexts(messages);
  const names = useTexts(columnTexts);
  return (
    <Stack gap="xs">
      <Text size="sm">{text.about}</Text>
      <List size="sm" spacing={2}>
        {columns.map((column) => {
          const hints = [requiredColumns.includes(column) ? text.required : '', text.hints[column]];
          const hint = hints.filter(Boolean).join('; ');
          return (
            <List.Item key={column}>
              <strong>{names[column]}</strong>
              {hint && ` (${hint})`}
            </List.Item>
          );
        })}
      </List>
    </Stack>
  );
}
