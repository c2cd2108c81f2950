let timer: number | undefined;

const clockText = (seconds: number): string => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = hours > 0 ? [hours, minutes] : [minutes];
  return [...parts, seconds % 60]
    .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0')))
    .join(':');
};

/** A day or more is told by the date alone. */
const longestSeconds = 86_400;

/** Counts from what the service said was left: the clock of the device may be wrong. */
export function startCountdown(): void {
  window.clearInterval(timer);
  const place = document.getElementById('left');
  const { seconds, text } = place?.dataset ?? {};
  if (!place || !seconds || !text) return;
  const endsAt = performance.now() + Number(seconds) * 1000;
  const tick = (): void => {
    const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
    place.hidden = left >= longestSeconds;
    place.textContent = text.replace('{time}', clockText(left));
    if (left === 0) window.clearInterval(timer);
  };
  timer = window.setInterval(tick, 1000);
  tick();
}
