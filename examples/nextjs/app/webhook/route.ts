import { verifyWebhook, WebhookVerificationError } from '@pix-service/sdk';
import { markPaid } from '../../shop';

export async function POST(request: Request) {
  try {
    const { type, data } = await verifyWebhook({
      body: await request.text(),
      headers: request.headers,
      secret: process.env.WEBHOOK_SECRET ?? '',
    });
    if (type === 'payment_completed' && data.externalId) markPaid(data.externalId);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(null, { status: 401 });
  }
}
