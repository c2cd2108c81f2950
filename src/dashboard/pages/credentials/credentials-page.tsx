import { Page } from '../../parts/page.tsx';

export default function CredentialsPage() {
  return <Page title="CredentialsPage">…</Page>;
}
