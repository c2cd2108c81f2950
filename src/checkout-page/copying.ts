async function copy(field: HTMLTextAreaElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // It fails without a secure connection or the permission; the old way works there, or leaves the code selected.
    field.focus();
    field.select();
    return document.execCommand('copy');
  }
}

export function enableCopying(): void {
  const field = document.querySelector<HTMLTextAreaElement>('#code');
  const button = document.querySelector<HTMLButtonElement>('#copy');
  const note = document.getElementById('copy-note');
  if (!field || !button || !note) return;
  button.hidden = false;
  field.onfocus = () => field.select();
  button.onclick = () => {
    note.textContent = '';
    void copy(field).then((isCopied) => {
      note.textContent = (isCopied ? button.dataset.copied : button.dataset.failed) ?? '';
    });
  };
}
