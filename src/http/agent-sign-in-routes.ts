/** The addresses of the sign-in of agents: requests are counted as any other, then handed over as Node.js has them. */
import type { FastifyInstance } from 'fastify';
import { countRequest, type IdentifyRules } from './identify.ts';
import type { ServerOptions } from './types.ts';

export async function addAgentSignIn<Context>(
  server: FastifyInstance,
  options: ServerOptions<Context>,
  rules: IdentifyRules,
): Promise<void> {
  const { agentSignIn } = options;
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The body is left to be read by whoever answers.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of agentSignIn.paths) {
      scope.route({
        method: ['GET', 'POST', 'OPTIONS'],
        url,
        config: { operation: 'agent-sign-in' },
        async onRequest(request, reply) {
          countRequest(undefined, request, reply, rules.rateLimit);
        },
        async handler(request, reply) {
          reply.hijack();
          for (const [name, value] of Object.entries(reply.getHeaders())) {
            if (value !== undefined) reply.raw.setHeader(name, value);
          }
          await agentSignIn.handle(request.raw, reply.raw);
        },
      });
    }
  });
}
