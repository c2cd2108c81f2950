import type { CheckoutView } from '../../core/checkout/checkout.ts';
import type { CheckoutDue } from '../../core/checkout/rules/checkout-due.ts';
import { type Html, html } from './html.ts';
import { dayText, type Language, moneyText, partNames, type PartName, type Texts, texts } from './texts.ts';

interface Reader {
  language: Language;
  say: Texts;
}

function dateText({ date, adjustedDate, isOverdue }: CheckoutDue, { language, say }: Reader): string {
  const day = dayText(language, date);
  if (isOverdue) return say.wasDueOn(day);
  return adjustedDate === date ? say.dueOn(day) : say.dueOnAdjusted(day, dayText(language, adjustedDate));
}

function nextText(amount: number, next: NonNullable<CheckoutDue['next']>, reader: Reader): string {
  const { language, say } = reader;
  const present = moneyText(language, amount);
  const then = moneyText(language, next.amount);
  return next.isToday
    ? say.amountToday(present, then)
    : say.amountUntil(dayText(language, next.until), present, then);
}

/** Until when it can be paid, and what changes next. No time is counted down: such a charge lives for months. */
export function dueTerms({ amount, due }: { amount: number; due: CheckoutDue }, reader: Reader): Html {
  const { language, say } = reader;
  return html`<ul class="due">
    <li>${dateText(due, reader)}</li>
    ${due.next && html`<li>${nextText(amount, due.next, reader)}</li>`}
    <li>${say.payableUntil(dayText(language, due.lastPayableOn))}</li>
  </ul>`;
}

const signs: Record<PartName, string> = {
  original: '',
  rebate: '− ',
  discount: '− ',
  fine: '+ ',
  interest: '+ ',
};

/** What an amount that was paid consists of. */
export const paidParts = (parts: NonNullable<CheckoutView['parts']>, language: Language): Html =>
  html`<dl class="parts">
    ${partNames
      .filter((name) => parts[name] > 0)
      .map(
        (name) =>
          html`<dt>${texts[language].parts[name]}</dt>
            <dd>${signs[name]}${moneyText(language, parts[name])}</dd>`,
      )}
  </dl>`;
