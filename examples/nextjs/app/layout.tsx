import type { ReactNode } from 'react';

export const metadata = { title: 'Loja' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="pt-BR">
      <body style={{ fontFamily: 'system-ui' }}>
        <main>{children}</main>
      </body>
    </html>
  );
}
