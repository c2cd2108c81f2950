import { Page } from '../../parts/page.tsx';

export default function WebhookPage() {
  return <Page title="WebhookPage">…</Page>;
}
