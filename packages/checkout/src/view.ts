import { type FollowedPayment, secondsLeft } from './follow-payment.ts';
import { shownAmount } from './payment.ts';
import { clockText, dueLines, type Language, stateOf } from './texts.ts';

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  // Each part has the class of its name, for our style.
  const { part } = attributes;
  if (part) made.classList.add(part);
  made.append(...children);
  return made;
}

/** To be drawn rather than shown as an image, as a page with a strict CSP permits no data: address. */
function decodePng(base64: string): Promise<ImageBitmap> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: 'image/png' }));
}

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

/** A day or more is no countdown, nor is what a due date leaves. */
const longestSeconds = 86_400;

/** The elements of one payment. Made without markup in text, which pages with Trusted Types do not permit. */
export class View {
  readonly card: HTMLElement;
  readonly #offline = element('p', { part: 'offline', class: 'note', role: 'status' });
  readonly #title = element('strong', { part: 'title' });
  readonly #advice = element('span', { part: 'advice' });
  readonly #status = element(
    'div',
    { part: 'status', role: 'status', tabindex: '-1' },
    this.#title,
    this.#advice,
  );
  readonly #amount = element('p', { part: 'amount' });
  readonly #estimate = element('p', { part: 'estimate' });
  readonly #due = element('ul', { part: 'due' });
  readonly #description = element('p', { part: 'description' });
  readonly #qrCode = element('canvas', { part: 'qr-code', role: 'img' });
  readonly #label = element('label', { part: 'label', for: 'code' });
  readonly #code = element('textarea', {
    part: 'code',
    id: 'code',
    rows: '4',
    readonly: '',
    spellcheck: 'false',
    translate: 'no',
  });
  readonly #copy = element('button', { part: 'copy', type: 'button' });
  readonly #note = element('p', { part: 'note', role: 'status' });
  readonly #timeLeft = element('p', { part: 'time-left', role: 'timer' });
  #drawn = '';

  constructor() {
    const payable = [this.#qrCode, this.#label, this.#code, this.#copy, this.#note, this.#timeLeft];
    this.card = element(
      'div',
      { part: 'card', role: 'group' },
      this.#offline,
      this.#status,
      this.#amount,
      this.#estimate,
      this.#description,
      this.#due,
      ...payable,
    );
    this.#code.addEventListener('focus', () => this.#code.select());
  }

  show(state: FollowedPayment, language: Language): void {
    const { texts, amountText } = language;
    const { payment, isOffline, error } = state;
    const shown = stateOf(payment, error !== undefined);
    const { title, advice } = texts.states[shown];
    const code = (shown === 'pending' && payment?.pixCopyPaste) || '';
    const image = (code && payment?.pixQrCodeBase64) || '';
    const hadFocus = this.#code.matches(':focus') || this.#copy.matches(':focus');

    this.card.setAttribute('aria-label', texts.label);
    setText(this.#offline, isOffline ? texts.offline : '');
    setText(this.#title, title);
    setText(this.#advice, advice);
    this.#title.className = `title ${shown}`;
    setText(this.#amount, payment ? amountText(shownAmount(payment)) : '');
    setText(this.#description, payment?.description ?? '');
    const lines = payment && !error ? dueLines(payment, language) : [];
    setText(this.#estimate, lines.length > 0 ? texts.estimate : '');
    this.#showLines(lines);
    for (const each of [this.#amount, this.#estimate, this.#description, this.#due])
      each.hidden = !each.textContent;
    setText(this.#label, texts.code);
    setText(this.#copy, texts.copy);
    for (const each of [this.#label, this.#code, this.#copy, this.#note]) each.hidden = !code;
    if (this.#code.value !== code) {
      this.#code.value = code;
      setText(this.#note, '');
    }
    this.#qrCode.hidden = !image;
    this.#qrCode.setAttribute('aria-label', texts.qrCode);
    if (image && image !== this.#drawn) void this.#draw(image);
    this.#copy.onclick = () => {
      setText(this.#note, '');
      void copy(this.#code).then((isCopied) =>
        setText(this.#note, isCopied ? texts.copied : texts.copyFailed),
      );
    };
    if (hadFocus && !code) this.#status.focus();
    this.showTimeLeft(state, texts.timeLeft);
  }

  #showLines(lines: readonly string[]): void {
    const present = [...this.#due.children].map(({ textContent }) => textContent);
    if (lines.join('\n') === present.join('\n')) return;
    this.#due.replaceChildren(...lines.map((line) => element('li', {}, document.createTextNode(line))));
  }

  async #draw(image: string): Promise<void> {
    this.#drawn = image;
    const bitmap = await decodePng(image);
    if (this.#drawn !== image) return;
    this.#qrCode.width = bitmap.width;
    this.#qrCode.height = bitmap.height;
    this.#qrCode.getContext('2d')?.drawImage(bitmap, 0, 0);
  }

  showTimeLeft(state: FollowedPayment, text: string): void {
    const seconds = secondsLeft(state);
    this.#timeLeft.hidden = this.#code.hidden || seconds >= longestSeconds || !this.#due.hidden;
    setText(this.#timeLeft, text + clockText(seconds));
  }
}

/** What is the same is not announced again. */
function setText(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}
