for (const section of document.querySelectorAll('.pix-service')) {
  const button = section.querySelector('button');
  button.addEventListener('click', async () => {
    const code = section.querySelector('textarea');
    code.select();
    // Pages without TLS have no clipboard.
    if (!document.execCommand('copy')) await navigator.clipboard?.writeText(code.value);
    button.textContent = button.dataset.copied;
  });
  const look = async () => {
    if (document.hidden) return;
    const response = await fetch(section.dataset.status).catch(() => undefined);
    if (response?.ok && !(await response.json()).isWaiting) location.reload();
  };
  setInterval(look, 5_000);
}
