import { Page } from '../../parts/page.tsx';

export default function RuleSetsPage() {
  return <Page title="RuleSetsPage">…</Page>;
}
