import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { texts, useLanguage, useTexts } from '../base/language.tsx';
import { useWorkplace } from '../base/use-workplace.ts';

const messages = texts({ label: 'Exportar CSV' }, { label: 'Export CSV' });

interface ExportButtonProps {
  /** Its path below `/dashboard`, without the extension. */
  file: string;
  parameters: Readonly<Record<string, string>>;
}

/** Downloads a spreadsheet of the organization and mode, in the language of the page. */
export function ExportButton({ file, parameters }: ExportButtonProps) {
  const text = useTexts(messages);
  const { organizationId, mode } = useWorkplace();
  const { language } = useLanguage();
  const query = new URLSearchParams({ organization: organizationId, mode, locale: language, ...parameters });
  return (
    <Button
      component="a"
      href={`/dashboard/${file}.csv?${query}`}
      download
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
    >
      {text.label}
    </Button>
  );
}
