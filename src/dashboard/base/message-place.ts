/** Remembers the lower edge of what was pressed last: once it is loading it no longer has the focus. */
let pressedAt = 0;

addEventListener(
  'click',
  ({ target }) => {
    if (target instanceof Element) pressedAt = target.getBoundingClientRect().bottom;
  },
  { capture: true },
);

/** On a phone a message is as wide as the page: it stays away from what was pressed, which may be pressed again. */
export const messagePlace = (): 'top-center' | 'bottom-right' =>
  innerWidth < 576 && pressedAt > innerHeight / 2 ? 'top-center' : 'bottom-right';
