import './mantine.css';
import '@mantine/notifications/styles.css';
import './main.css';
import { createTheme, type CSSVariablesResolver, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { Route, Router, Switch } from 'wouter';
import { Pages } from './pages/pages.tsx';
import { TwoStep } from './pages/profile/lazy-two-step.ts';
import { LanguageProvider, texts, useTexts } from './base/language.tsx';
import { Loading } from './ui/loading.tsx';
import { Layout } from './shell/layout/layout.tsx';
import { reloadAfterUpgrades } from './base/missing-chunks.ts';
import { createQueryClient } from './base/query-client.ts';
import { SessionProvider } from './shell/session.tsx';
import { WorkplaceProvider } from './shell/workplace.tsx';

/** Pages that a link opens, without a session. */
const InvitationPage = lazy(() => import('./pages/mailed-links/invitation-page.tsx'));
const NewPasswordPage = lazy(() => import('./pages/mailed-links/new-password-page.tsx'));

const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 9, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  cursorType: 'pointer',
  respectReducedMotion: true,
});

/** Small text needs the contrast of WCAG AA, so these are darker than Mantine's defaults. */
const resolveVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-primary-color-light-color': '#06543d',
    '--mantine-color-teal-light-color': '#06543d',
    '--mantine-color-yellow-light-color': '#6b3f00',
    '--mantine-color-orange-light-color': '#7a3300',
    '--mantine-color-teal-filled-hover': '#066b4c',
    '--mantine-color-anchor': colors.teal[9],
    '--mantine-color-error': colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    // Mantine's are almost white: a button that removes something would look like any other.
    '--mantine-color-red-light-color': colors.red[3],
    '--mantine-color-teal-light-color': colors.teal[3],
    '--mantine-color-teal-filled': colors.teal[9],
    '--mantine-color-teal-filled-hover': '#066b4c',
    '--mantine-color-gray-filled': colors.gray[6],
    '--mantine-color-red-filled': colors.red[9],
    '--mantine-color-red-filled-hover': '#b02525',
  },
});

const messages = texts(
  { close: 'Fechar', password: 'Mostrar ou ocultar a senha' },
  { close: 'Close', password: 'Show or hide the password' },
);

function Appearance({ children }: { children: ReactNode }) {
  const text = useTexts(messages);
  const components = {
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': text.password } },
    },
    CloseButton: { defaultProps: { 'aria-label': text.close } },
    // A status is never cut off, however narrow its column.
    Badge: { styles: { root: { minWidth: 'max-content' } } },
  };
  return (
    <MantineProvider
      theme={{ ...theme, components }}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
    >
      {children}
    </MantineProvider>
  );
}

const queryClient = createQueryClient();

reloadAfterUpgrades();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <LanguageProvider>
      <Appearance>
        <QueryClientProvider client={queryClient}>
          <Notifications position="bottom-right" />
          <Router base="/dashboard">
            <Suspense fallback={<Loading />}>
              <Switch>
                <Route path="/invitation" component={InvitationPage} />
                <Route path="/new-password" component={NewPasswordPage} />
                <Route>
                  <SessionProvider>
                    <WorkplaceProvider twoStep={TwoStep}>
                      <Layout>
                        <Pages />
                      </Layout>
                    </WorkplaceProvider>
                  </SessionProvider>
                </Route>
              </Switch>
            </Suspense>
          </Router>
        </QueryClientProvider>
      </Appearance>
    </LanguageProvider>
  </StrictMode>,
);
