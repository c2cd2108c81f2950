import { lazy, Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { Button, Group } from '@mantine/core';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Page } from '../ui/page.tsx';
import { Loading } from '../ui/loading.tsx';
import { texts, useTexts } from '../base/language.tsx';

const OverviewPage = lazy(() => import('./overview/overview-page.tsx'));
const PaymentPage = lazy(() => import('./payment/payment-page.tsx'));
const PaymentLinksPage = lazy(() => import('./payment-links/payment-links-page.tsx'));
const PaymentLinkPage = lazy(() => import('./payment-links/payment-link-page.tsx'));
const RecurrencesPage = lazy(() => import('./recurrences/recurrences-page.tsx'));
const UpcomingPage = lazy(() => import('./recurrences/upcoming-page.tsx'));
const UpcomingDayPage = lazy(() => import('./recurrences/upcoming-day-page.tsx'));
const FailedPage = lazy(() => import('./recurrences/failed-page.tsx'));
const RecurrencePage = lazy(() => import('./recurrences/recurrence-page.tsx'));
const RefundsPage = lazy(() => import('./refunds/refunds-page.tsx'));
const DisputesPage = lazy(() => import('./disputes/disputes-page.tsx'));
const DisputePage = lazy(() => import('./disputes/dispute-page.tsx'));
const NewBatchPage = lazy(() => import('./payment-batches/new-batch-page.tsx'));
const BatchPage = lazy(() => import('./payment-batches/batch-page.tsx'));
const WebhooksPage = lazy(() => import('./webhooks/webhooks-page.tsx'));
const WebhookPage = lazy(() => import('./webhooks/webhook-page.tsx'));
const ApiKeysPage = lazy(() => import('./api-keys/api-keys-page.tsx'));
const RequestsPage = lazy(() => import('./requests/requests-page.tsx'));
const CredentialsPage = lazy(() => import('./credentials/credentials-page.tsx'));
const BooksPage = lazy(() => import('./books/books-page.tsx'));
const BookDayPage = lazy(() => import('./books/day-page.tsx'));
const HealthPage = lazy(() => import('./health/health-page.tsx'));
const CredentialHealthPage = lazy(() => import('./health/credential-health-page.tsx'));
const ReceiptsPage = lazy(() => import('./receipts/receipts-page.tsx'));
const RuleSetsPage = lazy(() => import('./rule-sets/rule-sets-page.tsx'));
const MembersPage = lazy(() => import('./members/members-page.tsx'));
const OrganizationPage = lazy(() => import('./organization/organization-page.tsx'));
const ApprovalsPage = lazy(() => import('./approvals/approvals-page.tsx'));
const AuditLogPage = lazy(() => import('./audit-log/audit-log-page.tsx'));
const SecurityPage = lazy(() => import('./security/security-page.tsx'));
const ProfilePage = lazy(() => import('./profile/profile-page.tsx'));
const FirstStepsPage = lazy(() => import('./first-steps/first-steps-page.tsx'));
const PaymentsPage = lazy(() => import('./payments/payments-page.tsx'));

const messages = texts(
  {
    missing: 'Página não encontrada',
    about: 'O endereço está incorreto ou a página não existe mais.',
    home: 'Ir para a visão geral',
  },
  {
    missing: 'Page not found',
    about: 'The address is wrong, or the page no longer exists.',
    home: 'Go to the overview',
  },
);

function MissingPage() {
  const text = useTexts(messages);
  return (
    <Page title={text.missing} about={text.about}>
      <Group>
        <Button component={Link} href="/">
          {text.home}
        </Button>
      </Group>
    </Page>
  );
}

export function Pages() {
  const [location] = useLocation();
  return (
    <ErrorBoundary at={location}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/" component={OverviewPage} />
          <Route path="/payments/:id" component={PaymentPage} />
          <Route path="/payment-links" component={PaymentLinksPage} />
          <Route path="/payment-links/:id" component={PaymentLinkPage} />
          <Route path="/recurrences" component={RecurrencesPage} />
          <Route path="/recurrences/upcoming" component={UpcomingPage} />
          <Route path="/recurrences/upcoming/:day" component={UpcomingDayPage} />
          <Route path="/recurrences/failed" component={FailedPage} />
          <Route path="/recurrences/:id" component={RecurrencePage} />
          <Route path="/refunds" component={RefundsPage} />
          <Route path="/disputes" component={DisputesPage} />
          <Route path="/disputes/:id" component={DisputePage} />
          <Route path="/payments/batches/new" component={NewBatchPage} />
          <Route path="/payments/batches/:id" component={BatchPage} />
          <Route path="/webhooks" component={WebhooksPage} />
          <Route path="/webhooks/:id" component={WebhookPage} />
          <Route path="/api-keys" component={ApiKeysPage} />
          <Route path="/requests" component={RequestsPage} />
          <Route path="/credentials" component={CredentialsPage} />
          <Route path="/books" component={BooksPage} />
          <Route path="/books/:account/:date" component={BookDayPage} />
          <Route path="/health" component={HealthPage} />
          <Route path="/health/:id" component={CredentialHealthPage} />
          <Route path="/receipts" component={ReceiptsPage} />
          <Route path="/rule-sets" component={RuleSetsPage} />
          <Route path="/members" component={MembersPage} />
          <Route path="/organization" component={OrganizationPage} />
          <Route path="/approvals" component={ApprovalsPage} />
          <Route path="/audit-log" component={AuditLogPage} />
          <Route path="/security" component={SecurityPage} />
          <Route path="/profile" component={ProfilePage} />
          <Route path="/first-steps" component={FirstStepsPage} />
          <Route path="/payments" component={PaymentsPage} />
          <Route component={MissingPage} />
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}
