/** Routes that are gone and still called, on real repositories. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../../../test/helpers/git/review-change.ts';
import { chooseChecks } from '../index.ts';

describe('removed_route', () => {
  it('runs only where it is switched on', () => {
    const names = (switchedOn: string[]) =>
      chooseChecks(['breaking_changes'], switchedOn).map(({ name }) => name);
    expect(names([])).not.toContain('removed_route');
    expect(names(['removed_route'])).toContain('removed_route');
  });

  it('finds removed routes of code and of OpenAPI documents that are still called', async () => {
    const document = (paths: string) =>
      `openapi: 3.0.0\ninfo: { title: Shop, version: '1' }\npaths:\n${paths}`;
    const orders = "  /orders/{id}:\n    get: { responses: { '200': { description: ok } } }\n";
    const carts = "  /carts/{id}:\n    get: { responses: { '200': { description: ok } } }\n";
    const before = {
      'openapi.yaml': document(orders + carts),
      'server.ts':
        "import express from 'express';\nconst app = express();\napp.get('/users/:id/files', list);\napp.get('/teams/:id/files', list);\n",
      'web.ts': `export const files = (id: string) => fetch(\`/users/\${id}/files\`);\nexport const order = (id: string) => fetch(\`/orders/\${id}\`);\n`,
    };
    expect(
      await findingsOf(
        before,
        {
          'openapi.yaml': document(carts),
          'server.ts':
            "import express from 'express';\nconst app = express();\napp.get('/teams/:id/files', list);\n",
        },
        'removed_route',
      ),
    ).toEqual([
      'removed_route openapi.yaml:5 GET /orders/{} was removed but is still called',
      'removed_route server.ts:3 GET /users/{}/files was removed but is still called',
    ]);
    // Called on another server from now on.
    expect(
      await findingsOf(
        before,
        {
          'server.ts':
            "import express from 'express';\nconst app = express();\napp.get('/teams/:id/files', list);\n",
          'web.ts': `export const files = (id: string) => fetch(\`\${SERVER}/users/\${id}/files\`);\n`,
        },
        'removed_route',
      ),
    ).toEqual([]);
    // Moved to another file, or renamed with its calls.
    expect(
      await findingsOf(
        before,
        {
          'server.ts':
            "import express from 'express';\nconst app = express();\napp.get('/teams/:id/files', list);\n",
          'users.js':
            "function register(app) {\n  app.get('/users/:userId/files', list);\n}\nmodule.exports = { register };\n",
          'openapi.yaml': document(carts + orders.replace('orders', 'purchases')),
          'web.ts': `export const files = (id: string) => fetch(\`/users/\${id}/files\`);\n`,
        },
        'removed_route',
      ),
    ).toEqual([]);
  });
});
