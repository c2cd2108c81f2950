import { Page } from '../../parts/page.tsx';

export default function ProfilePage() {
  return <Page title="ProfilePage">…</Page>;
}
