import { Page } from '../../parts/page.tsx';

export default function WebhooksPage() {
  return <Page title="WebhooksPage">…</Page>;
}
