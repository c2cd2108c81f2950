import { Alert, Anchor, Button, Group, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { Page } from '../../ui/page.tsx';
import { ShownOnce } from '../../ui/copying/shown-once.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServicePages, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { ApprovalSettings } from './approval-settings.tsx';
import { accountsDocument, approvalRequestsDocument, settingsDocument } from './documents.ts';
import { OtherPayerSetting } from './other-payer-setting.tsx';
import { RequestCard } from './request-card.tsx';

const messages = texts(
  {
    title: 'Aprovações',
    about: 'Alterações e estornos que precisam do aval de outra pessoa. Quem solicita não pode aprovar.',
    show: 'Mostrar',
    pending: 'Pendentes',
    all: 'Todas',
    none: 'Nenhuma aprovação pendente',
    noneAbout: 'Alterações e estornos que precisarem de aprovação aparecem aqui.',
    more: 'Carregar mais',
    secret: 'Segredo de assinatura do webhook',
    secretAbout: 'Envie-o por um canal seguro a quem verifica as assinaturas.',
    link: 'Link do convite',
    linkAbout: 'Envie-o por um canal seguro à pessoa convidada.',
    single: 'Você é o único proprietário',
    singleAbout: 'Aprovações precisam de pelo menos dois.',
    invite: 'Convidar outro proprietário',
  },
  {
    title: 'Approvals',
    about: 'Changes and refunds that need a second person. You cannot approve your own requests.',
    show: 'Show',
    pending: 'Pending',
    all: 'All',
    none: 'No pending approvals',
    noneAbout: 'Changes and refunds that need approval appear here.',
    more: 'Load more',
    secret: 'Webhook signing secret',
    secretAbout: 'Share it over a secure channel with whoever verifies the signatures.',
    link: 'Invitation link',
    linkAbout: 'Share it over a secure channel with the person you invited.',
    single: 'You are the only owner',
    singleAbout: 'Approvals need at least two.',
    invite: 'Invite another owner',
  },
);

const pollIntervalMs = 30_000;

/** Said before somebody switches on what nobody else could approve. */
function SingleOwner() {
  const text = useTexts(messages);
  return (
    <Alert variant="default" icon={<Users aria-hidden />} title={text.single}>
      {text.singleAbout}{' '}
      <Anchor component={Link} href="/members" inherit underline="always">
        {text.invite}
      </Anchor>
    </Alert>
  );
}

function Settings() {
  const settings = useServiceQuery(settingsDocument, {});
  return (
    <QueryResult result={settings}>
      {({ organizationSettings, members }) => (
        <Stack>
          {members.filter(({ role }) => role === 'owner').length < 2 && <SingleOwner />}
          <ApprovalSettings key={JSON.stringify(organizationSettings)} settings={organizationSettings} />
          <OtherPayerSetting otherPayer={organizationSettings.otherPayer} />
        </Stack>
      )}
    </QueryResult>
  );
}

export default function ApprovalsPage() {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const [shown, setShown] = useState('pending');
  const [issued, setIssued] = useState<{ action: string; secret: string }>();
  const isLink = issued?.action === 'member.invite';
  const variables = { pendingOnly: shown === 'pending' };
  const pages = useServicePages(approvalRequestsDocument, variables, (read) => read.approvalRequests, {
    refetchIntervalMs: () => pollIntervalMs,
  });
  const credentials = useServiceQuery(accountsDocument, {}).data?.credentials ?? [];
  return (
    <Page title={text.title} about={text.about}>
      <Group>
        <SegmentedControl
          aria-label={text.show}
          value={shown}
          onChange={setShown}
          data={[
            { value: 'pending', label: text.pending },
            { value: 'all', label: text.all },
          ]}
        />
      </Group>
      <QueryResult result={pages}>
        {(requests) => (
          <Stack>
            {requests.length === 0 && (
              <Paper withBorder>
                <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
              </Paper>
            )}
            {requests.map((request) => (
              <RequestCard
                key={request.id}
                request={request}
                credentials={credentials}
                onSecret={(secret) => {
                  setIssued({ action: request.action, secret });
                }}
              />
            ))}
            {pages.more && (
              <Button variant="subtle" loading={pages.more.isLoading} onClick={pages.more.load}>
                {text.more}
              </Button>
            )}
          </Stack>
        )}
      </QueryResult>
      {may('settings:manage') && <Settings />}
      <ShownOnce
        title={isLink ? text.link : text.secret}
        secret={issued?.secret}
        onClose={() => {
          setIssued(undefined);
        }}
      >
        <Text size="sm">{isLink ? text.linkAbout : text.secretAbout}</Text>
      </ShownOnce>
    </Page>
  );
}
