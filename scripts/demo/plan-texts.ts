/** The texts of the sample organization's plans. */

const CACHE_WHY = `# Serve product pages from a cache

## Why
Every product page queries the catalogue for its price, pictures and stock. On a sale day that is 4,200 requests per second,
and the slowest 10% take more than two seconds. Most replies haven't changed since the previous request.`;

const CACHE_REPOS = `## Affected repos
- \`acme/web-shop\`: \`src/pages/product.ts\`, \`src/catalogue/client.ts\`
- \`acme/catalogue\`: \`src/events/price-changed.ts\``;

const CACHE_DIAGRAM = `\`\`\`mermaid
flowchart LR
  page[Product page] --> cache{Cached?}
  cache -- yes --> reply[Reply]
  cache -- no --> catalogue[Catalogue] --> reply
  event([price changed]) -. invalidate .-> cache
\`\`\``;

const CACHE_CODE = `\`\`\`ts
export async function productOf(id: ProductId): Promise<Product> {
  const cached = await cache.get(id);
  if (cached && !cached.isOlderThan(MAX_AGE)) return cached.product;
  return cache.put(id, await catalogue.product(id));
}
\`\`\``;

export const CACHE_V1 = `${CACHE_WHY}

## The change
Product pages cache the catalogue's reply for ten minutes, in the memory of each web node.

${CACHE_REPOS}

## Decisions
- The cache is in each node: no new service to run.
- On a cache miss, the page waits for the catalogue.

## Open questions
- Does the cart use the same price as the page?

## Steps
- [ ] Add \`src/catalogue/cache.ts\` with a limit of 50,000 products
- [ ] Use it in \`src/catalogue/client.ts\`
- [ ] Replay the traffic of the last sale day

## Verification
The traffic of the last sale day, replayed against staging: 90% of requests under 300 ms.
`;

export const CACHE_V2 = `${CACHE_WHY}

## The change
Product pages cache the catalogue's reply for one minute, in Redis, and invalidate it when a price changes.

${CACHE_DIAGRAM}

${CACHE_REPOS}

## Decisions
- The cache is in Redis, which the shop already runs: a price change invalidates it for all nodes.
- On a cache miss, the page waits for the catalogue, with only one request per product at a time.

## Open questions
- Does the cart use the same price as the page?

## Steps
- [ ] Add \`src/catalogue/cache.ts\` on the Redis client that sessions use
- [ ] Publish \`price-changed\` from the catalogue
- [ ] Use the cache in \`src/catalogue/client.ts\`
- [ ] Replay the traffic of the last sale day

## Verification
The traffic of the last sale day, replayed against staging: 90% of requests under 300 ms.
`;

export const CACHE_V3 = `${CACHE_WHY}

## The change
Product pages cache the catalogue's reply for one minute, in Redis, and invalidate it when a price changes. The cart
never uses the cache: it always reads the current price.

${CACHE_DIAGRAM}

${CACHE_CODE}

${CACHE_REPOS}

## Decisions
| decision | instead of | because |
| --- | --- | --- |
| Redis, which the shop already runs | the memory of each node | a price change reaches all nodes |
| one request per product at a time | every request | a sale starts with an empty cache |
| the cart reads the catalogue | the cached price | customers always pay the current price |

## Steps
- [x] Record the traffic of the last sale day
- [ ] Add \`src/catalogue/cache.ts\` on the Redis client that sessions use
- [ ] Publish \`price-changed\` from \`src/events/price-changed.ts\`
- [ ] Use the cache in \`src/pages/product.ts\`, but not in the cart
- [ ] Alert when the hit rate drops below 80%

## Verification
The traffic of the last sale day, replayed against staging: 90% of requests under 300 ms, and no price older than one
minute.
`;

export const NODE_V1 = `# Drop support for Node 20

## Why
Node 20 gets no more security fixes after April. Two of our libraries have dropped it already.

## The change
Our packages say \`"engines": { "node": ">=22" }\`, and CI tests 22 and 24.

## Affected repos
- \`acme/build-tools\`: \`package.json\`, \`.github/workflows/test.yml\`
- \`acme/web-shop\`: \`package.json\`, \`Dockerfile\`

## Steps
- [ ] Notify the teams two weeks ahead
- [ ] Raise the version in both repositories
- [ ] Remove the polyfill for \`Array.fromAsync\`
`;

export const ROTATE_V1 = `# Rotate signing keys without a restart

## Why
A new signing key means a restart of all gateways today, so nobody rotates them.

## The change
Gateways read the keys every minute and accept the newest two.

## Steps
- [ ] Read keys from the store in \`src/gateway/keys.ts\`
- [ ] Accept the newest two
`;

export const ROTATE_V2 = `${ROTATE_V1}- [ ] Refuse a key that is older than 90 days
- [ ] Write down who rotated, in the audit log
`;

export const SHARD = `# Shard the telemetry table by month

## Why
Robots write 90 million rows a month into one table; deleting an old month takes a night.

## The change
One partition a month. Deleting a month drops its partition.

## Affected repos
- \`acme/telemetry\`: \`migrations/\`, \`src/store/write.ts\`

## Open questions
- How long do we keep what a robot reported before an accident?
`;

export const STOCK = `# Show stock levels on product pages

## Why
A third of the calls to support ask whether something is in stock.

## The change
\`src/pages/product.ts\` shows "in stock", "few left" or "back on …", from \`src/catalogue/client.ts\`.

## Affected repos
- \`acme/web-shop\`: \`src/pages/product.ts\`, \`src/catalogue/client.ts\`

## Steps
- [ ] Ask the catalogue for the stock together with the price
- [ ] Three labels, in all eleven languages
`;

export const TAXES = `# Move the checkout to the new tax rules

## Why
From the first of the month deliveries across borders are taxed where they arrive.

## Steps
- [x] Read the rates from \`acme/tax-rates\`
- [x] Show the tax before the address is confirmed
`;

export const SCHEDULER = `# Replace the job scheduler

## Why
The scheduler runs jobs twice when its clock is set back.

## The change
Use the queue that billing uses.
`;
