import { Page } from '../../parts/page.tsx';

export default function AuditLogPage() {
  return <Page title="AuditLogPage">…</Page>;
}
