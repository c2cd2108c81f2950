import type { ConsentState, ConsentView } from '../../core/checkout/consents.ts';
import { consentTexts } from './consent-texts.ts';
import { type Html, html } from './html.ts';
import { followedPage, type PageFrame, pixCode } from './page.ts';
import { dayText, instantText, type Language, moneyText } from './texts.ts';

const icons: Partial<Record<ConsentState, string>> = {
  active: '✓',
  rejected: '×',
  expired: '!',
  withdrawn: '×',
  ended: '×',
};

/** States in which the terms hold, or may come to. */
const inForce: readonly ConsentState[] = ['waiting', 'active'];

function terms(view: ConsentView, language: Language): Html {
  const say = consentTexts[language];
  const { amount, minimumAmount, firstAmount, authorization, startDate, endDate } = view;
  const first = authorization === 'offer' ? say.firstByItself : say.firstNow;
  const money = (reais: number) => moneyText(language, reais);
  const rows: [string, string][] = [
    [say.receiver, view.shop.name],
    [say.amount, amount === undefined ? say.varies : money(amount)],
    ...(firstAmount === undefined ? [] : [[say.first, first(money(firstAmount))] as [string, string]]),
    [say.frequency, say.frequencies[view.frequency]],
    [say.start, dayText(language, startDate)],
    [say.end, endDate === undefined ? say.noEnd : dayText(language, endDate)],
    [say.retries, say.retry[view.retries]],
    [say.ending, say.howToEnd],
  ];
  return html`<section class="terms">
    <h2>${say.terms}</h2>
    <dl>
      ${rows.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    ${minimumAmount === undefined ? undefined : html`<p class="note">${say.atLeast(money(minimumAmount))}</p>`}
  </section>`;
}

function permitUntil({ expiresAt }: ConsentView, language: Language): Html {
  const text = consentTexts[language].permitUntil(instantText(language, expiresAt));
  return html`<p class="time"><time datetime="${expiresAt.toISOString()}">${text}</time></p>`;
}

/** Says what a payer permits, and by which code. `path` is the path of this page itself. */
export function consentPage(frame: PageFrame, view: ConsentView, path: string): string {
  const { language } = frame;
  const { page, states } = consentTexts[language];
  const { state, shop, pix } = view;
  const { heading, advice } = states[state];
  const card = html`
    ${view.description === undefined ? undefined : html`<p class="description">${view.description}</p>`}
    <p class="advice">${advice(shop.name)}</p>
    ${inForce.includes(state) ? terms(view, language) : undefined}
    ${state === 'waiting' ? permitUntil(view, language) : undefined} ${pix && pixCode(pix, page, path)}
    ${state === 'waiting' && !pix ? html`<p class="note">${consentTexts[language].atBank}</p>` : undefined}
  `;
  return followedPage(
    frame,
    {
      view,
      say: page,
      icon: icons[state],
      heading,
      changes: view.mayChange ? `${path}/changes` : undefined,
      title: `${heading} · ${shop.name}`,
    },
    card,
  );
}
