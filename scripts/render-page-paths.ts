/** Renders the paths of the web app's pages, from its route table, in the syntax of the service's router. */
import { join } from 'node:path';
import { runnerImport } from 'vite';

const ROUTES = join(import.meta.dirname, '..', 'web', 'routes.tsx');

interface Routes {
  createAppRouter(client: undefined): { routesByPath: object };
}

export async function renderPagePaths(): Promise<string> {
  const { module } = await runnerImport<Routes>(ROUTES, {
    configFile: false,
    logLevel: 'error',
  });
  // The router reads the context only when it loads a page.
  const { routesByPath } = module.createAppRouter(undefined);
  const paths = Object.keys(routesByPath)
    .filter((path) => !path.startsWith('/dev/'))
    .map((path) => `  '${path.replaceAll('$', ':')}',`);
  return `/** The address of every page of the web app. Generated from web/routes.tsx by \`npm run generate\`. */
export const PAGE_PATHS = [
${paths.join('\n')}
] as const;
`;
}
