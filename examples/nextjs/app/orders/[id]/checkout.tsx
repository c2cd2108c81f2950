'use client';

import '@pix-service/checkout';
import type { PaymentAddress } from '@pix-service/checkout/react';
import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';

export function Checkout(address: PaymentAddress) {
  const router = useRouter();
  const element = useRef<HTMLElementTagNameMap['pix-checkout']>(null);
  useEffect(() => {
    const { current } = element;
    const refresh = () => router.refresh();
    current?.addEventListener('completed', refresh);
    return () => current?.removeEventListener('completed', refresh);
  }, [router]);
  return <pix-checkout ref={element} {...address} />;
}
