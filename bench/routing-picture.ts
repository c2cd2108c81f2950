interface Panel {
  name: string;
  /** From 0 to 1, minute by minute. */
  lines: Record<'fixed' | 'alerts' | 'oracle', number[]>;
}

const width = 340;
const height = 110;
const gap = { x: 50, y: 54 };
const margin = { left: 44, top: 64 };
const columns = 2;

const style = `
  svg { background: #fff; color: #1f2328; font: 13px system-ui, sans-serif; }
  text { fill: currentColor } .small { font-size: 11px } .frame { fill: none; stroke: currentColor; opacity: .35 }
  .trouble { fill: #d1242f; opacity: .09 } path { fill: none; stroke-width: 1.6 }
  .fixed { stroke: #9a6700 } .alerts { stroke: #0969da; stroke-width: 2.2 } .oracle { stroke: #1a7f37; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; color: #e6edf3 } .trouble { opacity: .22 }
    .fixed { stroke: #d29922 } .alerts { stroke: #4493f8 } .oracle { stroke: #3fb950 }
  }`;

export const policyNames = { fixed: 'fixed order', alerts: 'as it is', oracle: 'oracle' } as const;

/** Draws the share that the first provider has, minute by minute, a panel for each kind of trouble. */
export function drawShares(panels: readonly Panel[], trouble: { from: number; to: number }): string {
  const rows = Math.ceil(panels.length / columns);
  const size = {
    x: margin.left + columns * (width + gap.x),
    y: margin.top + rows * (height + gap.y) - 10,
  };
  const legend = Object.entries(policyNames).map(
    ([policy, word], place) =>
      `<path class="${policy}" d="M${margin.left + place * 130} 40h26"/><text x="${margin.left + 32 + place * 130}" y="44">${word}</text>`,
  );
  const drawn = panels.map(({ name, lines }, place) => {
    const x = margin.left + (place % columns) * (width + gap.x);
    const y = margin.top + Math.floor(place / columns) * (height + gap.y) + 22;
    const minutes = lines.fixed.length;
    const acrossTo = (minute: number) => ((minute * width) / minutes).toFixed(1);
    const paths = Object.entries(lines).map(([policy, shares]) => {
      const points = shares.map(
        (share, minute) => `${acrossTo(minute + 0.5)} ${((1 - share) * height).toFixed(1)}`,
      );
      return `<path class="${policy}" d="M${points.join('L')}"/>`;
    });
    const ticks = [0, 30, 60, 90, 120].map(
      (minute) =>
        `<text class="small" x="${acrossTo(minute)}" y="${height + 15}" text-anchor="middle">${minute}</text>`,
    );
    return `<g transform="translate(${x} ${y})"><text y="-7">${name}</text>
<rect class="trouble" x="${acrossTo(trouble.from)}" width="${acrossTo(trouble.to - trouble.from)}" height="${height}"/>
<rect class="frame" width="${width}" height="${height}"/>
<text class="small" x="-6" y="10" text-anchor="end">100 %</text><text class="small" x="-6" y="${height}" text-anchor="end">0 %</text>
${[...ticks, ...paths].join('\n')}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.x} ${size.y}" width="${size.x}" height="${size.y}">
<style>${style}</style>
<text x="${margin.left}" y="22">Creates that the first of three providers takes, by minute; it is in trouble where the ground is red</text>
${[...legend, ...drawn].join('\n')}
</svg>
`;
}
