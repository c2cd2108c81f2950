import { Page } from '../../parts/page.tsx';

export default function PaymentPage() {
  return <Page title="PaymentPage">…</Page>;
}
