import { useEffect, useState } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { notifyFailure } from '../../base/use-service.ts';

const messages = texts(
  { failed: 'Não foi possível copiar. Selecione o texto e copie manualmente.' },
  { failed: 'Could not copy. Select the text and copy it manually.' },
);

/** Without TLS there is no `navigator.clipboard`. */
function copySelection(value: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = value;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

async function copied(value: string): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  try {
    await clipboard?.writeText(value);
    return clipboard !== undefined || copySelection(value);
  } catch {
    return copySelection(value);
  }
}

const copiedForMs = 2_000;

/** `isCopied` is true for a moment after copying. */
export function useCopy(value: string) {
  const text = useTexts(messages);
  const [copies, setCopies] = useState(0);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setIsCopied(false);
    }, copiedForMs);
    return () => {
      clearTimeout(timer);
    };
  }, [copies]);
  const copy = async () => {
    const done = await copied(value);
    setIsCopied(done);
    setCopies(copies + 1);
    if (!done) notifyFailure(text.failed);
  };
  return { isCopied, copy: () => void copy() };
}
