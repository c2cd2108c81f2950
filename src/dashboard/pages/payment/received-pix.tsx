import { Stack, Text } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { PaymentDetail } from './base/documents.ts';
import classes from './payment-details.module.css';
import { Copied, Fact, Facts } from '../../parts/facts.tsx';
import { BorderedSection } from '../../ui/page.tsx';

const messages = texts(
  {
    title: 'Pix recebido',
    several: 'Pix recebidos',
    amount: 'Valor',
    paid: 'Pago em',
    endToEndId: 'ID do Pix (EndToEndId)',
    payer: 'Pago por',
    document: 'CPF ou CNPJ de quem pagou',
    message: 'Mensagem de quem pagou',
    isOther: 'Outra pessoa: o CPF ou CNPJ não é o do pagador da cobrança',
    bank: 'Instituição do pagador',
    transaction: 'ID da transação (txid)',
    returned: 'Estornado ou devolvido pelo banco',
  },
  {
    title: 'Received Pix',
    several: 'Received Pix',
    amount: 'Amount',
    paid: 'Paid',
    endToEndId: 'End-to-end ID',
    payer: 'Paid by',
    document: 'CPF or CNPJ of who paid',
    message: 'Message from who paid',
    isOther: 'Somebody else: the CPF or CNPJ is not that of the payer of the charge',
    bank: 'Payer’s institution',
    transaction: 'Transaction ID (txid)',
    returned: 'Refunded or reversed',
  },
);

type Pix = PaymentDetail['receivedPix'][number];

function OnePix({ pix, showsTransaction }: { pix: Pix; showsTransaction: boolean }) {
  const text = useTexts(messages);
  const { money, dateTime } = useFormats();
  const { amount, paidAt, endToEndId, payerInstitution: bank, transactionId, returned, paidBy } = pix;
  return (
    <Facts>
      <Fact name={text.amount}>{money(amount)}</Fact>
      <Fact name={text.paid}>{dateTime(paidAt)}</Fact>
      {paidBy?.name && <Fact name={text.payer}>{paidBy.name}</Fact>}
      {paidBy?.documentMasked && (
        <Fact name={text.document}>
          {paidBy.documentMasked}
          {pix.payerMatches === false && (
            <Text size="xs" c="orange">
              {text.isOther}
            </Text>
          )}
        </Fact>
      )}
      {paidBy?.message && <Fact name={text.message}>{paidBy.message}</Fact>}
      {endToEndId && <Copied name={text.endToEndId} value={endToEndId} />}
      {bank && (
        <Fact name={text.bank}>{bank.name ? `${bank.name} (ISPB ${bank.ispb})` : `ISPB ${bank.ispb}`}</Fact>
      )}
      {showsTransaction && <Copied name={text.transaction} value={transactionId} />}
      {returned > 0 && <Fact name={text.returned}>{money(returned)}</Fact>}
    </Facts>
  );
}

/** Renders nothing for an unpaid payment. */
export function ReceivedPix({ receivedPix }: Pick<PaymentDetail, 'receivedPix'>) {
  const text = useTexts(messages);
  if (receivedPix.length === 0) return null;
  const areSeveral = receivedPix.length > 1;
  return (
    <BorderedSection title={text.title} heading={areSeveral ? text.several : text.title}>
      <Stack>
        {receivedPix.map((pix) => (
          <div key={pix.endToEndId ?? pix.transactionId} className={classes.pix}>
            <OnePix pix={pix} showsTransaction={areSeveral} />
          </div>
        ))}
      </Stack>
    </BorderedSection>
  );
}
