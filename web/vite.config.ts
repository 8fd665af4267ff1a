/** How the web app is built: hashed files that browsers may keep for good, no inline script, no source maps. */
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

export default defineConfig(({ command }) => {
  // Whatever the shell says: what is built and served is never the slow and large React for developers.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return config;
});

const config: UserConfig = {
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  // The service writes its nonce here for each page it sends.
  html: { cspNonce: 'NONCE' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/api/v2': 'http://127.0.0.1:4000', '/docs': 'http://127.0.0.1:4000' } },
};
