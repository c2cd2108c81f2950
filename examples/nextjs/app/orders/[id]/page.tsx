import { notFound } from 'next/navigation';
import { orderOf, pix, service } from '../../../shop';
import { Checkout } from './checkout';

export default async function OrderPage({ params }: PageProps<'/orders/[id]'>) {
  const order = orderOf((await params).id);
  if (!order?.paymentId) notFound();
  if (order.isPaid) return <h1>Pedido pago. Obrigado!</h1>;
  // The browser gets a token that reads this payment and nothing else.
  const { token } = await pix().payments.createToken(order.paymentId);
  return (
    <>
      <h1>Seu pedido</h1>
      <Checkout service={service} paymentId={order.paymentId} token={token} />
    </>
  );
}
