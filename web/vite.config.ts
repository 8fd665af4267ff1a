/** How the web app is built: hashed files that browsers may keep for good, no inline script, no source maps. */
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defaultAllowedOrigins, defineConfig, type Plugin, type UserConfig } from 'vite';

export default defineConfig(({ command }) => {
  // Regardless of the shell's NODE_ENV, builds use React's production version.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return config;
});

const SHARED_BUILD = {
  assetsInlineLimit: 0,
  reportCompressedSize: false,
} as const;

const config: UserConfig = {
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), mermaidFrame()],
  // For browsers this one asks the document what an entity means; a worker has no document. Only this one is exchanged: with
  // the condition "worker" for all, the router takes the browser for a server.
  resolve: {
    alias: {
      'decode-named-character-reference': fileURLToPath(
        import.meta.resolve('decode-named-character-reference'),
      ),
    },
  },
  // The service writes its nonce here for each page it sends.
  html: { cspNonce: 'NONCE' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    ...SHARED_BUILD,
  },
  worker: { format: 'es' },
  server: {
    // The frame that draws diagrams has no origin.
    cors: { origin: [defaultAllowedOrigins, 'null'] },
    proxy: { '/api/v2': 'http://127.0.0.1:4000', '/docs': 'http://127.0.0.1:4000' },
  },
};

/**
 * The frame that draws diagrams shares no file with the app: it has no origin, so that its own scripts, and they alone, are
 * served to everybody.
 */
function mermaidFrame(): Plugin {
  let outDir = '';
  return {
    name: 'mermaid-frame',
    apply: 'build',
    configResolved(resolved) {
      outDir = resolved.build.outDir;
    },
    async closeBundle() {
      await build({
        configFile: false,
        root: import.meta.dirname,
        publicDir: false,
        logLevel: 'warn',
        build: {
          outDir,
          emptyOutDir: false,
          assetsDir: 'mermaid-frame',
          modulePreload: false,
          chunkSizeWarningLimit: 2000,
          rollupOptions: { input: 'mermaid-frame.html' },
          ...SHARED_BUILD,
        },
      });
    },
  };
}
