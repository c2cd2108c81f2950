/** sRGB, written like `#0f766e`. */
export type HexColor = `#${string}`;

/** WCAG 2.2 requires it of parts of a page that people must see, such as buttons (1.4.11). */
export const minimumContrast = 3;

const white: HexColor = '#ffffff';
const black: HexColor = '#000000';

export const isHexColor = (text: string): text is HexColor => /^#[0-9a-f]{6}$/i.test(text);

const channelsOf = (color: HexColor): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));

/** Relative luminance, as WCAG defines it. */
function luminanceOf(color: HexColor): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21. */
export function contrastOf(one: HexColor, other: HexColor): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Whether a button of this color is visible on a white page. */
export const isSeenOnWhite = (color: HexColor): boolean => contrastOf(color, white) >= minimumContrast;

/** White or black; one of them always has a contrast of at least 4.5. */
export const textColorOn = (color: HexColor): HexColor =>
  contrastOf(color, white) >= contrastOf(color, black) ? white : black;

/** The color itself if it is visible on white, otherwise its lightest shade that is. */
export function shadeSeenOnWhite(color: HexColor): HexColor {
  const channels = channelsOf(color);
  for (let share = 100; share > 0; share -= 1) {
    const shade: HexColor = `#${channels
      .map((channel) =>
        Math.round((channel * share) / 100)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`;
    if (isSeenOnWhite(shade)) return shade;
  }
  return black;
}
