import type { LinkForm, LinkPage } from '../../core/checkout/link-checkout.ts';
import { dueTerms } from './due.ts';
import { type Html, html } from './html.ts';
import { type FormField, linkTexts } from './link-texts.ts';
import { htmlDocument, type PageFrame, shopHeader } from './page.ts';
import { moneyText, texts } from './texts.ts';

export interface LinkFormState {
  /** What the payer has typed. */
  form: LinkForm;
  /** Fields that were refused. */
  wrong: readonly FormField[];
  /** Set when the service could not make a payment. */
  isRefused: boolean;
}

const inputs: Record<FormField, { type: string; mode: string; autocomplete: string; maximum: number }> = {
  amount: { type: 'text', mode: 'decimal', autocomplete: 'off', maximum: 20 },
  name: { type: 'text', mode: 'text', autocomplete: 'name', maximum: 200 },
  document: { type: 'text', mode: 'text', autocomplete: 'off', maximum: 40 },
  email: { type: 'email', mode: 'email', autocomplete: 'email', maximum: 254 },
  phone: { type: 'tel', mode: 'tel', autocomplete: 'tel', maximum: 40 },
};

/** `attempt` is sent with the form, so that two clicks make only one payment. */
export function linkPage(
  frame: PageFrame,
  link: LinkPage,
  path: string,
  attempt: string,
  { form, wrong, isRefused }: LinkFormState = { form: {}, wrong: [], isRefused: false },
): string {
  const { language } = frame;
  const say = linkTexts[language];
  const { name: shop } = link.shop;
  const money = (reais: number | undefined) => (reais === undefined ? undefined : moneyText(language, reais));
  const bounds = say.between(money(link.minimumAmount), money(link.maximumAmount));

  function field(name: FormField): Html {
    const { type, mode, autocomplete, maximum } = inputs[name];
    const isWrong = wrong.includes(name);
    const hint = name === 'amount' && bounds ? !isWrong && bounds : say.hints[name];
    const error = name === 'amount' && bounds ? bounds : say.errors[name];
    const described = [hint && `${name}-hint`, isWrong && `${name}-error`].filter(Boolean).join(' ');
    return html`<div class="field">
      <label for="${name}">${say.labels[name]}</label>
      ${hint ? html`<p id="${name}-hint" class="note">${hint}</p>` : undefined}
      <input
        id="${name}"
        name="${name}"
        type="${type}"
        inputmode="${mode}"
        autocomplete="${autocomplete}"
        maxlength="${maximum}"
        required
        aria-invalid="${String(isWrong)}"
        aria-describedby="${described}"
        value="${form[name] ?? ''}"
      />
      ${isWrong ? html`<p id="${name}-error" class="error" role="alert">${error}</p>` : undefined}
    </div>`;
  }

  const { status } = link;
  const closed = status === 'active' ? undefined : say.closed[status];
  const heading = closed?.heading ?? say.heading;
  const amount = money(link.amount);
  const asked = link.requiredFields;
  const body = html`<header>
      ${shopHeader(link.shop)} ${link.isTest ? html`<p class="test">${texts[language].test}</p>` : undefined}
    </header>
    <main class="card" data-state="link">
      <h1>${heading}</h1>
      ${amount === undefined ? undefined : html`<p class="amount"><span class="unseen">${texts[language].amount}: </span>${amount}</p>`}
      ${link.description === undefined ? undefined : html`<p class="description">${link.description}</p>`}
      ${closed || !link.due ? undefined : dueTerms({ amount: link.amount ?? 0, due: link.due }, { language, say: texts[language] })}
      ${link.due?.next && html`<p class="note">${texts[language].estimate}</p>`}
      ${
        closed
          ? html`<p class="advice">${closed.advice(shop)}</p>`
          : html`<form method="post" action="${path}" novalidate>
              <input type="hidden" name="attempt" value="${attempt}" />
              ${isRefused ? html`<p class="error" role="alert">${say.refused}</p>` : undefined}
              ${link.amount === undefined ? field('amount') : undefined}
              ${asked.length > 0 ? html`<p class="note">${(link.due ? say.whyDue : say.why)(shop)}</p>` : undefined}
              ${asked.map(field)}
              <button class="main-action">${say.pay}</button>
            </form>`
      }
    </main>`;
  return htmlDocument(
    { ...frame, shop: link.shop },
    [heading, amount, shop].filter(Boolean).join(' · '),
    body,
  );
}
