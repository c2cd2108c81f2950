import { Page } from '../../parts/page.tsx';

export default function MembersPage() {
  return <Page title="MembersPage">…</Page>;
}
