import { startCountdown } from './countdown.ts';
import { enableCopying } from './copying.ts';

/** What needs no script gives way to what does. */
function enhance(): void {
  for (const each of document.querySelectorAll<HTMLElement>('.scripted')) each.hidden = false;
  for (const each of document.querySelectorAll<HTMLElement>('.unscripted')) each.hidden = true;
  enableCopying();
  startCountdown();
}

/** Puts the main part of another document of this page in place of the present one. */
export function show(from: Document): void {
  const present = document.querySelector('main');
  const next = from.querySelector('main');
  if (from !== document && present && next) {
    const hadFocus = present.contains(document.activeElement);
    present.replaceWith(document.adoptNode(next));
    document.title = from.title;
    const heading = next.querySelector('h1');
    const announced = document.getElementById('announced');
    if (announced) announced.textContent = heading?.textContent ?? '';
    if (hadFocus) heading?.focus();
  }
  enhance();
}
