/** The web app's entry: providers around the routes. */
import './styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProblem } from './api/client.ts';
import { ToastProvider } from './components/toast.tsx';
import { ConnectionBanner } from './frame/connection-banner.tsx';
import { SignInAgain } from './frame/sign-in-again.tsx';
import { applyTheme } from './frame/theme.ts';
import { applyNonce } from './nonce.ts';
import { createAppRouter } from './routes.tsx';

applyNonce();
applyTheme();

const client = new QueryClient({
  defaultOptions: {
    // Offline, requests fail visibly instead of being paused.
    queries: {
      staleTime: 10_000,
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < 2 && error instanceof ApiProblem && error.status >= 500,
    },
    mutations: { networkMode: 'always' },
  },
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <ToastProvider>
        <ConnectionBanner />
        <SignInAgain />
        <RouterProvider router={createAppRouter(client)} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
