// Runs when a server starts. The build needs none of them.
export function register() {
  for (const name of ['PIX_API_KEY', 'WEBHOOK_SECRET'])
    if (!process.env[name]) throw new Error(`${name} is missing`);
}
