import { Page } from '../../parts/page.tsx';

export default function ApiKeysPage() {
  return <Page title="ApiKeysPage">…</Page>;
}
