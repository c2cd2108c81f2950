/** How often chance is tried: more in `npm run test:long`. */
export const times = (usual: number, long: number): number => (process.env['LONG'] ? long : usual);
