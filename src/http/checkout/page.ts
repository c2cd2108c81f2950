import type { CheckoutView } from '../../core/checkout/checkout.ts';
import { brasiliaIso } from '../../core/base/time/brasilia.ts';
import type { Branding } from '../../core/people/organizations/organization-profile.ts';
import type { CheckoutAssets } from './assets.ts';
import { Html, html } from './html.ts';
import { dueTerms, paidParts } from './due.ts';
import { instantText, type Language, moneyText, type Texts, texts } from './texts.ts';

export interface PageFrame {
  language: Language;
  assets: CheckoutAssets;
  /** Allows the page's one inline style. */
  nonce: string;
  shop?: Branding;
}

/** Colors were checked when they were stored, so they are safe to print. */
const brandStyle = ({ brandColor, brandTextColor }: Branding, nonce: string): Html | undefined =>
  brandColor && brandTextColor
    ? html`<style nonce="${nonce}">
        ${new Html(`:root{--button:${brandColor};--on-button:${brandTextColor}}`)}
      </style>`
    : undefined;

export const shopHeader = ({ name, logoPath }: Branding): Html =>
  html`${logoPath === null ? undefined : html`<img class="logo" src="${logoPath}" alt="" />`}
    <p class="shop">${name}</p>`;

/** A whole document with `body` in it. */
export function htmlDocument(
  { language, assets, nonce, shop }: PageFrame,
  title: string,
  body: Html,
): string {
  const { script, style } = assets;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${style}" />
        ${shop && brandStyle(shop, nonce)}
        <script type="module" src="${script}"></script>
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}

interface FollowedPage {
  view: Pick<CheckoutView, 'version' | 'isTest' | 'shop'> & { state: string };
  say: Texts;
  icon: string | undefined;
  heading: string;
  /** Where the script of the page asks what has changed; undefined once nothing changes any more. */
  changes: string | undefined;
  title: string;
}

/** A page whose card follows what it tells of. */
export function followedPage(
  frame: PageFrame,
  { view, say, icon, heading, changes, title }: FollowedPage,
  card: Html,
): string {
  const { shop } = view;
  const body = html`<header>
      ${shopHeader(shop)} ${view.isTest ? html`<p class="test">${say.test}</p>` : undefined}
      <p id="offline" class="offline" role="status" data-text="${say.offline}"></p>
      <p id="announced" class="unseen" role="status"></p>
    </header>
    <main
      class="card"
      data-state="${view.state}"
      data-version="${view.version}"
      data-changes="${changes ?? ''}"
    >
      ${icon === undefined ? undefined : html`<p class="icon" aria-hidden="true">${icon}</p>`}
      <h1 tabindex="-1">${heading}</h1>
      ${card}
    </main>`;
  return htmlDocument({ ...frame, shop }, title, body);
}

/** A page with just a heading and advice, such as for an unknown payment or too many requests. */
export function messagePage(frame: PageFrame, which: 'notFound' | 'tooMany' | 'unavailable'): string {
  const { heading, advice } = texts[frame.language][which];
  return htmlDocument(
    frame,
    heading,
    html`<main class="card" data-state="message">
      <h1>${heading}</h1>
      <p class="advice">${advice('')}</p>
    </main>`,
  );
}

const icons: Partial<Record<CheckoutView['state'], string>> = {
  paid: '✓',
  paid_late: '✓',
  refunded: '↩',
  expired: '!',
  cancelled: '×',
  failed: '!',
};

/** The code as text and as a picture, and what to do with it. `self` is the path of the page. */
export function pixCode(
  { code, qrCodePngBase64 }: NonNullable<CheckoutView['pix']>,
  say: Texts,
  self: string,
): Html {
  return html`<div class="pix">
      <div class="code">
        <label for="code">${say.code}</label>
        <textarea id="code" readonly rows="4" spellcheck="false" translate="no">${code}</textarea>
        <button
          type="button"
          id="copy"
          class="main-action"
          hidden
          data-copied="${say.copied}"
          data-failed="${say.copyFailed}"
        >
          ${say.copy}
        </button>
        <p id="copy-note" role="status"></p>
      </div>
      <figure>
        <img
          class="qr"
          src="data:image/png;base64,${qrCodePngBase64}"
          alt="${say.qrCode}"
          width="240"
          height="240"
        />
        <figcaption>${say.scan}</figcaption>
      </figure>
    </div>
    <ol class="steps">
      ${say.steps.map((step) => html`<li>${step}</li>`)}
    </ol>
    <p class="note scripted" hidden>${say.updates}</p>
    <p class="unscripted"><a class="action" href="${self}">${say.refresh}</a></p>`;
}

function timing(view: CheckoutView, { language, say, now }: { language: Language; say: Texts; now: Date }) {
  const { state, expiresAt, confirmedAt } = view;
  if (view.due) return dueTerms({ ...view, due: view.due }, { language, say });
  if (state === 'waiting') {
    const seconds = Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / 1000));
    return html`<p class="time">
      <time datetime="${expiresAt.toISOString()}">${say.payUntil(instantText(language, expiresAt))}</time>
      <span id="left" class="left" hidden data-seconds="${seconds}" data-text="${say.timeLeft}"></span>
    </p>`;
  }
  if (!confirmedAt || (state !== 'paid' && state !== 'paid_late')) return undefined;
  return html`<p class="time">
    <time datetime="${confirmedAt.toISOString()}">${say.paidAt(instantText(language, confirmedAt))}</time>
  </p>`;
}

/** When banks have lower limits for a Pix: from 20:00 to 6:00. */
function isNight(now: Date): boolean {
  const hour = Number(brasiliaIso(now).slice(11, 13));
  return hour >= 20 || hour < 6;
}

/** States after which the payer has nothing more to wait for. */
const settled: readonly CheckoutView['state'][] = ['refunded', 'failed'];

/** A form, so that one tap makes it. */
const another = (againPath: string, token: string, say: Texts): Html =>
  html`<form method="post" action="${againPath}">
    <input type="hidden" name="expired" value="${token}" />
    <button class="main-action">${say.again}</button>
  </form>`;

/** Where the payer's bank, and the shop, find the Pix. */
const receipt = (endToEndId: string, say: Texts): Html =>
  html`<dl class="receipt">
    <dt>${say.endToEndId}</dt>
    <dd translate="no">${endToEndId}</dd>
  </dl>`;

export function checkoutPage(frame: PageFrame, view: CheckoutView, token: string, now: Date): string {
  const path = `/pay/${token}`;
  const { language } = frame;
  const say = texts[language];
  const { state, amountRefunded } = view;
  const { name: shop } = view.shop;
  const { heading, advice } = view.againPath && state === 'expired' ? say.expiredOfLink : say.states[state];
  const amount = moneyText(language, view.amount);
  const isPartlyRefunded = amountRefunded > 0 && state !== 'refunded';
  const card = html` <p class="amount"><span class="unseen">${say.amount}: </span>${amount}</p>
    ${view.due && html`<p class="note">${say.estimate}</p>`}
    ${view.description === undefined ? undefined : html`<p class="description">${view.description}</p>`}
    ${timing(view, { language, say, now })} ${view.parts && paidParts(view.parts, language)}
    <p class="advice">${advice(shop)}</p>
    ${isPartlyRefunded ? html`<p class="advice">${say.partlyRefunded(moneyText(language, amountRefunded))}</p>` : undefined}
    ${view.endToEndId === undefined ? undefined : receipt(view.endToEndId, say)}
    ${view.againPath === undefined ? undefined : another(view.againPath, token, say)}
    ${view.pix && isNight(now) ? html`<p class="note">${say.atNight}</p>` : undefined}
    ${view.pix && pixCode(view.pix, say, path)}
    ${state === 'creating' ? html`<p class="unscripted"><a class="action" href="${path}">${say.refresh}</a></p>` : undefined}
    ${view.returnUrl === undefined ? undefined : html`<p><a class="${view.pix || view.againPath ? 'action' : 'main-action'}" rel="noreferrer" href="${view.returnUrl}">${say.back(shop)}</a></p>`}`;
  return followedPage(
    frame,
    {
      view,
      say,
      icon: icons[state],
      heading,
      changes: settled.includes(state) ? undefined : `${path}/changes`,
      title: `${heading} · ${amount} · ${shop}`,
    },
    card,
  );
}
