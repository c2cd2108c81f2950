/** Which kind of key a request came with: `test` never leaves the process, `live` charges real money. */
export type Mode = 'test' | 'live';
