import { Anchor } from '@mantine/core';
import { Plus } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { ClippedText } from '../../ui/clipped-text.tsx';
import { CopyIcon } from '../../ui/copying/copy-button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { ClearFilters, GoingOn, NoneLeft } from '../../parts/empty-lists.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServicePages } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { type PaymentLink, paymentLinksDocument } from './documents.ts';
import { LinkFilters, useLinkFilter } from './link-filters.tsx';
import { LinkForm } from './link-form.tsx';
import { LinkStatus } from './link-status.tsx';
import { useLinkTexts } from './use-link-texts.ts';

const messages = texts(
  {
    title: 'Links de pagamento',
    about: 'Quem abre um link pode pagar: cada pessoa recebe a sua própria cobrança Pix.',
    caption: 'Links de pagamento, do mais novo ao mais antigo',
    link: 'Link',
    amount: 'Valor',
    uses: 'Uso',
    payments: 'Pagamentos',
    expires: 'Expira em',
    status: 'Status',
    url: (name: string) => `endereço de ${name}`,
    create: 'Criar link',
    filtered: 'Nenhum link com estes filtros',
    notYet: 'Nenhum link encontrado até aqui',
    notYetAbout: 'Há links mais antigos que ainda não foram pesquisados.',
    none: 'Nenhum link ainda',
    noneAbout:
      'Um link serve para receber sem site e sem código: envie o endereço por mensagem, coloque-o no perfil ou imprima o QR code. O valor pode ser fixo ou escolhido por quem paga, como em uma doação.',
  },
  {
    title: 'Payment links',
    about: 'Whoever opens a link can pay: each person gets a Pix payment of their own.',
    caption: 'Payment links, newest first',
    link: 'Link',
    amount: 'Amount',
    uses: 'Use',
    payments: 'Payments',
    expires: 'Expires',
    status: 'Status',
    url: (name: string) => `address of ${name}`,
    create: 'Create link',
    filtered: 'No links match these filters',
    notYet: 'No links found so far',
    notYetAbout: 'Older links have not been searched yet.',
    none: 'No links yet',
    noneAbout:
      'A link lets you get paid without a website or code: send its address in a message, put it on your profile or print its QR code. The amount can be fixed or chosen by the payer, as for a donation.',
  },
);

function useColumns(): Column<PaymentLink>[] {
  const text = useTexts(messages);
  const { amountOf, nameOf, usesOf, expiryOf, paidOf } = useLinkTexts();
  return [
    {
      header: text.link,
      narrow: 'title',
      cell: (link) => (
        <Anchor component={Link} href={`/payment-links/${link.id}`} size="sm">
          <ClippedText>{nameOf(link)}</ClippedText>
        </Anchor>
      ),
    },
    { header: text.amount, narrow: 'note', cell: amountOf },
    { header: text.uses, cell: usesOf },
    { header: text.payments, narrow: 'aside', cell: paidOf },
    { header: text.expires, cell: expiryOf },
    { header: text.status, narrow: 'mark', cell: ({ status }) => <LinkStatus status={status} /> },
    {
      header: '',
      align: 'right',
      cell: (link) => <CopyIcon value={link.url} label={text.url(nameOf(link))} />,
    },
  ];
}

/** Leads to the page of the new link, which is what one wants to pass on. */
function CreateLink() {
  const text = useTexts(messages);
  const [, navigate] = useLocation();
  return (
    <DialogButton label={text.create} variant="filled" leftSection={<Plus size={16} aria-hidden />}>
      {(close) => (
        <LinkForm
          submit={text.create}
          onCancel={close}
          onCreated={(id) => {
            navigate(`/payment-links/${id}`);
          }}
        />
      )}
    </DialogButton>
  );
}

export default function PaymentLinksPage() {
  const text = useTexts(messages);
  const columns = useColumns();
  const { may } = useWorkplace();
  const { filter, change } = useLinkFilter();
  const isFiltered = Object.keys(filter).length > 0;
  const pages = useServicePages(paymentLinksDocument, { filter }, ({ paymentLinks }) => paymentLinks, {
    keepPrevious: true,
  });
  const none = () => {
    const { more, pageCount } = pages;
    if (more)
      return <GoingOn more={more} pageCount={pageCount} title={text.notYet} about={text.notYetAbout} />;
    return isFiltered ? (
      <NoneLeft title={text.filtered} clear={() => change({})} />
    ) : (
      <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
    );
  };
  return (
    <Page title={text.title} about={text.about} actions={may('payment-links:manage') && <CreateLink />}>
      <LinkFilters filter={filter} change={change} />
      <QueryResult result={pages}>
        {(links) => (
          <>
            {links.length > 0 && isFiltered && <ClearFilters clear={() => change({})} />}
            <DataTable
              caption={text.caption}
              columns={columns}
              rows={links}
              keyOf={({ id }) => id}
              empty={none()}
              pages={pages}
            />
          </>
        )}
      </QueryResult>
    </Page>
  );
}
