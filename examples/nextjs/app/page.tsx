import { redirect } from 'next/navigation';
import { createOrder } from '../shop';

async function order() {
  'use server';
  const { id } = await createOrder();
  redirect(`/orders/${id}`);
}

export default function ShopPage() {
  return (
    <form action={order}>
      <h1>Camiseta</h1>
      <button>Comprar por R$ 19,90</button>
    </form>
  );
}
