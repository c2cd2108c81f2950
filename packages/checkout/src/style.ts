const css = `
:host {
  display: block;
  max-width: 24rem;
  line-height: 1.5;
  text-align: center;
}
:host([hidden]), [hidden] { display: none; }
.card { display: grid; gap: var(--pix-gap, 0.75rem); }
.card > * { margin: 0; min-width: 0; }
.title { font-size: 1.25em; font-weight: 700; }
.status:focus { outline: none; }
.amount { font-size: 1.75em; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums; }
.description { overflow-wrap: anywhere; white-space: pre-line; }
.estimate { font-size: 0.85em; }
.due {
  padding: 0.5em 0.75em;
  border: 1px solid;
  border-radius: var(--pix-radius, 0.5rem);
  font-size: 0.9em;
  font-variant-numeric: tabular-nums;
  list-style: none;
}
.time-left { font-variant-numeric: tabular-nums; }
.title, .advice { display: block; }
.advice:empty { display: none; }
/* Not hidden: screen readers announce what comes into a region that is there. */
.note:empty { margin-bottom: calc(-1 * var(--pix-gap, 0.75rem)); }
.offline:not(:empty) { padding: 0.5em 0.75em; border: 1px solid; border-radius: var(--pix-radius, 0.5rem); }
.qr-code {
  justify-self: center;
  width: min(var(--pix-qr-code-size, 15rem), 100%);
  border-radius: var(--pix-radius, 0.5rem);
  background: #fff;
  image-rendering: pixelated;
}
label { justify-self: start; font-weight: 600; }
.code {
  box-sizing: border-box;
  width: 100%;
  padding: 0.6em;
  border: 1px solid;
  border-radius: var(--pix-radius, 0.5rem);
  background: transparent;
  color: inherit;
  font: 0.8em/1.4 ui-monospace, monospace;
  overflow-wrap: anywhere;
  resize: none;
}
.copy {
  min-height: 3rem;
  padding: 0.6em 1em;
  border: 2px solid var(--pix-accent, #0b6b5d);
  border-radius: var(--pix-radius, 0.5rem);
  background: var(--pix-accent, #0b6b5d);
  color: var(--pix-on-accent, #fff);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
:focus-visible { outline: 3px solid; outline-offset: 2px; }
.pending::before {
  content: '';
  display: inline-block;
  width: 0.6em;
  height: 0.6em;
  margin-right: 0.5em;
  border-radius: 50%;
  background: var(--pix-accent, #0b6b5d);
}
/* Not to be read aloud, where the browser knows how to say so. */
.completed::before, .late::before { content: '✓ '; content: '✓ ' / ''; }
@media (prefers-reduced-motion: no-preference) {
  .pending::before { animation: pulse 2s infinite; }
}
@keyframes pulse { 50% { opacity: 0.2; } }
@media print { .copy { display: none; } }
`;

let shared: CSSStyleSheet | undefined;

/** Constructed, as a page with a strict CSP permits no style element. */
export function styleSheet(): CSSStyleSheet {
  if (!shared) {
    shared = new CSSStyleSheet();
    shared.replaceSync(css);
  }
  return shared;
}
