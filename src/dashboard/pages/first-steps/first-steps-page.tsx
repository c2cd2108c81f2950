import { Page } from '../../parts/page.tsx';

export default function FirstStepsPage() {
  return <Page title="FirstStepsPage">…</Page>;
}
