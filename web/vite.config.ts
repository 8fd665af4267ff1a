/** The build of the web app: hashed files that browsers can cache forever, no inline scripts, no source maps. */
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

/** Needed by many pages. Large libraries that few pages need stay where they are. */
const SHARED = {
  name: 'shared',
  test: /\/web\/(?:api|components|frame)\/|\/node_modules\/(?:lucide-react|@tanstack\/(?:react-)?query|@tanstack\/(?:react-)?router|react)/,
  minShareCount: 3,
};

const config: UserConfig = {
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), mermaidFrame()],
  // This package's browser version decodes entities through the document, which a worker doesn't have. Only this one is replaced: with
  // the "worker" condition for all packages, the router would think that it runs on a server.
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
    // The service reads which files a page needs.
    manifest: true,
    modulePreload: { polyfill: false },
    // Otherwise each small module that several pages share becomes a file: a page would load more than forty.
    rolldownOptions: { output: { codeSplitting: { groups: [SHARED] } } },
    ...SHARED_BUILD,
  },
  worker: { format: 'es' },
  server: {
    // The diagram frame has no origin.
    cors: { origin: [defaultAllowedOrigins, 'null'] },
    proxy: { '/api/v2': 'http://127.0.0.1:4000', '/docs': 'http://127.0.0.1:4000' },
  },
};

/**
 * The diagram frame shares no files with the app: it has no origin, so only its own scripts are served to every
 * origin.
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
