/** Mode of an API key: `test` stays inside the sandbox, `live` charges real money. */
export type Mode = 'test' | 'live';
