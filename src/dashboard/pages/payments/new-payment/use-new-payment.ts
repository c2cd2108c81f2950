import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { config } from 'zod';
import { ServiceError as Refusal } from '../../../../core/base/errors.ts';
import type { Mode } from '../../../../core/base/mode.ts';
import { parseCreatePayment } from '../../../../core/payments/rules/create-payment-input.ts';
import { ServiceError } from '../../../api/service-error.ts';
import { useServiceMutation, useServiceQuery } from '../../../base/use-service.ts';
import { useWorkplace } from '../../../base/use-workplace.ts';
import { createPaymentBatchDocument, paymentBatchDocument } from '../../../parts/instalments/documents.ts';

// The content security policy allows no code made of text.
config({ jitless: true });

interface NewPayment {
  amount: number;
  description: string | undefined;
  externalId: string | undefined;
  payer?: { name: string | undefined; document: string | undefined; email: string | undefined };
}

const pollIntervalMs = 500;

/** What the service would refuse, by its own rules. */
function refusalOf(mode: Mode, payment: NewPayment): ServiceError | undefined {
  try {
    parseCreatePayment(mode, payment);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { problems = [] } = error.context;
    return new ServiceError({ reason: error.code, statusCode: 400, problems });
  }
}

/** Whether the payment may have been made all the same. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.statusCode === 0 || error.statusCode >= 500 || error.reason === 'idempotency_key_in_flight');

/** People make payments in batches alone, so this is one of one. */
export function useNewPayment(close: () => void) {
  const { mode } = useWorkplace();
  const [, navigate] = useLocation();
  const [refusal, setRefusal] = useState<ServiceError>();
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  /** Known before the button can be pressed again. */
  const isSending = useRef(false);
  const create = useServiceMutation(createPaymentBatchDocument);
  const batchId = create.data?.createPaymentBatch.id;
  const batch = useServiceQuery(
    paymentBatchDocument,
    { id: batchId ?? '' },
    {
      enabled: batchId !== undefined,
      refetchIntervalMs: (read) =>
        read?.paymentBatch?.items[0]?.state === 'pending' ? pollIntervalMs : false,
    },
  );
  const item = batchId === undefined ? undefined : batch.data?.paymentBatch?.items[0];
  const paymentId = item?.paymentId;
  useEffect(() => {
    if (!paymentId) return;
    close();
    navigate(`/payments/${paymentId}`);
  }, [paymentId, close, navigate]);
  const failure =
    item?.state === 'failed' ? new ServiceError({ reason: item.code ?? '', statusCode: 400 }) : undefined;
  const isPending = create.isPending || (batchId !== undefined && !failure && !batch.error);
  return {
    send(payment: NewPayment) {
      if (isSending.current || isPending) return;
      const found = refusalOf(mode, payment);
      setRefusal(found);
      if (found) return;
      // What failed for good may be corrected; what got no answer is the same request.
      const key = failure ? crypto.randomUUID() : idempotencyKey;
      setIdempotencyKey(key);
      isSending.current = true;
      create.mutate(
        { input: { payments: [payment] }, idempotencyKey: key },
        {
          onSettled: () => {
            isSending.current = false;
          },
        },
      );
    },
    isPending,
    /** The same has to be sent again to learn what became of it. */
    isUnknown: isUnknown(create.error),
    error: refusal ?? create.error ?? batch.error ?? failure ?? null,
  };
}
