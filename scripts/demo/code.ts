/** The code of the demo's repositories: a web shop, the catalogue behind it, a library that both use, and the robots' telemetry. */
import { SHOP_FILES } from './shop-code.ts';

const PRICE_TAG = `/** How prices appear on pages. */
import { formatPrice } from '@acme/money';

export function priceTag(cents: number, currency: string): string {
  return \`<span class="price">\${formatPrice(cents, currency)}</span>\`;
}
`;

const SHOP_SERVER = `/** The shop's HTTP interface. */
import express from 'express';
import { findOrder, payOrder } from './orders.ts';
import { priceTag } from './price-tag.ts';

const CATALOGUE_URL = process.env.CATALOGUE_URL ?? 'http://catalogue:8080';
export const app = express();
app.use(express.json());

app.get('/shop/products/:id', async (request, response) => {
  const reply = await fetch(\`\${CATALOGUE_URL}/products/\${request.params.id}\`);
  const product = await reply.json();
  response.send(\`<h1>\${product.name}</h1>\${priceTag(product.priceCents, product.currency)}\`);
});

app.post('/orders/:id/payment', async (request, response) => {
  const order = await findOrder(request.params.id);
  response.json(await payOrder(order, request.body));
});
`;

const FIND_ORDER = `
export async function findOrder(id: string): Promise<Order> {
  const [order] = await sql\`SELECT * FROM orders WHERE id = \${id}\`;
  if (!order) throw new Error(\`No order \${id}\`);
  return order as Order;
}
`;

const manifest = (name: string, dependencies: Record<string, string>, more: object = {}) =>
  `${JSON.stringify({ name, version: '2.3.0', type: 'module', ...more, dependencies }, null, 2)}\n`;

const ORDERS = SHOP_FILES['src/orders.ts']
  .replace(
    "import { reserve, release } from './stock.ts';",
    "import { sql } from './database.ts';\nimport { reserve, release } from './stock.ts';",
  )
  .concat(FIND_ORDER);

export const SHOP = {
  ...SHOP_FILES,
  'package.json': manifest(
    'web-shop',
    { '@acme/money': '^2.0.0', express: '^5.1.0', postgres: '^3.4.7' },
    { private: true },
  ),
  'src/orders.ts': ORDERS,
  'src/price-tag.ts': PRICE_TAG,
  'src/server.ts': SHOP_SERVER,
  'migrations/0001_orders.sql':
    'CREATE TABLE orders (\n  id uuid PRIMARY KEY,\n  customer_id uuid NOT NULL,\n  lines jsonb NOT NULL,\n  state text NOT NULL\n);\n\nCREATE TABLE stock (\n  sku text PRIMARY KEY,\n  available integer NOT NULL,\n  reserved integer NOT NULL DEFAULT 0\n);\n',
  CODEOWNERS: '* @acme/shop\n/src/payment.ts @acme/payments\n',
  Dockerfile: 'FROM node:20.11\nWORKDIR /app\nCOPY . .\nRUN npm ci\nCMD ["node", "src/server.ts"]\n',
};

/** The branch that is discussed: the first version, and the one after the review. */
const FIRST_WORDING = `    super(\`Order \${orderId}: card \${lastFour} was declined\`);`;
/** Suggested by a reviewer, and applied by the author. */
export const BETTER_WORDING = `    super(\`The card ending in \${lastFour} was declined. Try another one.\`);`;

export const DECLINED = {
  'src/orders.ts': ORDERS.replace(
    "import { charge, type Payment } from './payment.ts';",
    "import { CardDeclined } from './declined.ts';\nimport { charge, DeclinedError, type Payment } from './payment.ts';",
  ).replace(
    '    // TODO: show the customer which card was declined.\n    await release(order.lines);\n    throw error;\n',
    '    await release(order.lines);\n    throw error instanceof DeclinedError ? new CardDeclined(order.id, error.lastFour) : error;\n',
  ),
  'src/declined.ts': `/** A card that was declined, without its full number. */

export class CardDeclined extends Error {
  readonly orderId: string;
  readonly lastFour: string;

  constructor(orderId: string, lastFour: string) {
${FIRST_WORDING}
    this.orderId = orderId;
    this.lastFour = lastFour;
  }
}
`,
  'pages/cart.html': '<h1>Your cart</h1>\n<p class="declined" hidden>Your card was declined.</p>\n',
};

export const DECLINED_AGAIN = {
  'src/declined.ts': DECLINED['src/declined.ts'].replace(FIRST_WORDING, BETTER_WORDING),
};

export const GIFT_CARDS = {
  'src/gift-cards.ts':
    '/** Gift cards: a code, and what is left on it. */\nexport interface GiftCard {\n  code: string;\n  leftCents: number;\n}\n',
};

export const ONE_STEP = {
  'pages/checkout.html':
    '<h1>Checkout</h1>\n<form method="post">\n  <fieldset><legend>Address</legend></fieldset>\n  <fieldset><legend>Payment</legend></fieldset>\n</form>\n',
};

const PRODUCTS = `/** Products and their prices. */
import { addTax } from '@acme/money';
import { sql } from './database.ts';
import { publish } from './events.ts';

export interface Product {
  id: string;
  name: string;
  priceCents: number;
  currency: string;
}

export async function findProduct(id: string): Promise<Product | undefined> {
  const [row] = await sql\`SELECT id, name, net_cents, currency FROM products WHERE id = \${id}\`;
  return row && { id: row.id, name: row.name, priceCents: addTax(row.net_cents, 19), currency: row.currency };
}

export async function changePrice(id: string, netCents: number): Promise<void> {
  await sql\`UPDATE products SET net_cents = \${netCents} WHERE id = \${id}\`;
  await publish('price.changed', { id, netCents });
}
`;

const CATALOGUE_SERVER = `/** The catalogue's HTTP interface. */
import Fastify from 'fastify';
import { changePrice, findProduct } from './products.ts';

export const app = Fastify({ logger: true });

app.get('/products/:id', async (request, reply) => {
  const { id } = request.params as { id: string };
  const product = await findProduct(id);
  return product ?? reply.code(404).send({ error: 'There is no such product.' });
});

app.put('/products/:id/price', async (request) => {
  const { id } = request.params as { id: string };
  await changePrice(id, (request.body as { netCents: number }).netCents);
});
`;

export const CATALOGUE = {
  'README.md':
    '# Catalogue\n\nOwns products and prices. Other services read them over HTTP and follow `price.changed`.\n\nPrices are stored net, in cents; replies include tax.\n',
  'package.json': manifest(
    'catalogue',
    { '@acme/money': '^2.0.0', fastify: '^5.6.0', kafkajs: '^2.2.4', postgres: '^3.4.7' },
    { private: true },
  ),
  'src/server.ts': CATALOGUE_SERVER,
  'src/products.ts': PRODUCTS,
  'src/database.ts':
    "import postgres from 'postgres';\n\nexport const sql = postgres(process.env.DATABASE_URL!);\n",
  'src/events.ts': `/** Events for other services. */
import { Kafka } from 'kafkajs';

const kafka = new Kafka({ clientId: 'catalogue', brokers: [process.env.KAFKA_BROKER!] });
const producer = kafka.producer();

export async function publish(topic: string, value: object): Promise<void> {
  await producer.send({ topic, messages: [{ value: JSON.stringify(value) }] });
}
`,
  'migrations/0001_products.sql':
    'CREATE TABLE products (\n  id uuid PRIMARY KEY,\n  name text NOT NULL,\n  net_cents integer NOT NULL,\n  currency text NOT NULL\n);\n',
  'test/products.test.ts': `import { expect, it } from 'vitest';
import { findProduct } from '../src/products.ts';

it('has no product with an unknown id', async () => {
  expect(await findProduct('00000000-0000-0000-0000-000000000000')).toBeUndefined();
});

it('includes tax in the price', async () => {
  expect((await findProduct('018f6f9e-0000-7000-8000-000000000001'))?.priceCents).toBe(1190);
});
`,
};

/** A branch with two mistakes that reviews prove: a key in the code, and a test that runs alone. */
export const SUPPLIER_IMPORT = {
  'src/suppliers.ts': `/** Imports the net prices of our suppliers every night. */
import { changePrice } from './products.ts';

const API = 'https://api.supplier.example/v1';
const KEY = '${['sk', 'live', '51NvQeW8KcT0uPzR4yLmX2bJd'].join('_')}';

export async function importPrices(): Promise<number> {
  const reply = await fetch(\`\${API}/prices\`, { headers: { authorization: \`Bearer \${KEY}\` } });
  const prices = (await reply.json()) as { id: string; netCents: number }[];
  for (const { id, netCents } of prices) await changePrice(id, netCents);
  return prices.length;
}
`,
  'test/suppliers.test.ts': `import { expect, it } from 'vitest';
import { importPrices } from '../src/suppliers.ts';

it.only('counts what was imported', async () => {
  expect(await importPrices()).toBeGreaterThan(0);
});
`,
};

const MONEY = `/** Money in cents: everything that the services do with prices. */

/** \`1190\` in \`EUR\` is \`€11.90\`. */
export function formatPrice(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(cents / 100);
}

/** Adds a percentage, rounded half up as the law wants it. */
export function addTax(netCents: number, percent: number): number {
  return Math.round(netCents * (1 + percent / 100));
}

export function sumCents(amounts: number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
`;

export const LIBRARY = {
  'README.md':
    '# Money\n\nPrices in cents, shared by the shop and the catalogue. Published as `@acme/money`.\n',
  'package.json': manifest('@acme/money', {}, { exports: './src/index.ts' }),
  'src/index.ts': MONEY,
  'test/money.test.ts': `import { expect, it } from 'vitest';
import { addTax, formatPrice } from '../src/index.ts';

it('formats', () => expect(formatPrice(1190, 'EUR')).toBe('€11.90'));
it('adds tax', () => expect(addTax(1000, 19)).toBe(1190));
`,
};

/** Removes a function that the shop still calls. */
export const ONE_FORMATTER = {
  'src/index.ts': MONEY.replace(
    /\/\*\* `1190` in[\s\S]*?\n}\n/,
    `export interface Money {
  cents: number;
  currency: string;
}

/** In the reader's language. */
export function formatMoney({ cents, currency }: Money, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(cents / 100);
}
`,
  ),
  'test/money.test.ts': `import { expect, it } from 'vitest';
import { addTax, formatMoney } from '../src/index.ts';

it('formats', () => expect(formatMoney({ cents: 1190, currency: 'EUR' }, 'en-GB')).toBe('€11.90'));
it('adds tax', () => expect(addTax(1000, 19)).toBe(1190));
`,
};

const INGEST = `"""Takes what robots report, a few thousand messages a second."""
from fastapi import FastAPI
from pydantic import BaseModel

from .store import keep

app = FastAPI()


class Report(BaseModel):
    robot_id: str
    kind: str
    battery: float


@app.post("/reports")
async def report(body: Report) -> dict[str, str]:
    await keep(body.robot_id, body.kind, body.battery)
    return {"status": "kept"}
`;

const STORE = `"""Where reports are kept."""
import os

import asyncpg

KEEP_DAYS = 90


async def keep(robot_id: str, kind: str, battery: float) -> None:
    connection = await asyncpg.connect(os.environ["TELEMETRY_DATABASE_URL"])
    await connection.execute(
        "INSERT INTO reports (robot_id, kind, battery) VALUES ($1, $2, $3)", robot_id, kind, battery
    )


async def forget_old() -> None:
    connection = await asyncpg.connect(os.environ["TELEMETRY_DATABASE_URL"])
    await connection.execute("DELETE FROM reports WHERE at < now() - $1 * interval '1 day'", KEEP_DAYS)
`;

export const TELEMETRY = {
  'README.md':
    '# Telemetry\n\nTakes the reports of every robot in the field and keeps them for support and for legal questions.\n',
  'pyproject.toml':
    '[project]\nname = "telemetry"\nversion = "1.8.0"\ndependencies = ["fastapi>=0.115", "asyncpg>=0.30"]\n',
  'telemetry/__init__.py': '',
  'telemetry/ingest.py': INGEST,
  'telemetry/store.py': STORE,
  'migrations/001_reports.sql':
    'CREATE TABLE reports (\n  robot_id text NOT NULL,\n  kind text NOT NULL,\n  battery double precision,\n  at timestamptz NOT NULL DEFAULT now()\n);\n',
};

export const KEEP_ACCIDENTS = {
  'telemetry/store.py': STORE.replace(
    'KEEP_DAYS = 90\n',
    'KEEP_DAYS = 90\n# Legal: what happened before an accident is kept for five years.\nKEEP_ACCIDENT_DAYS = 5 * 365\n',
  ).replace(
    `    await connection.execute("DELETE FROM reports WHERE at < now() - $1 * interval '1 day'", KEEP_DAYS)\n`,
    `    await connection.execute(
        "DELETE FROM reports WHERE at < now() - CASE kind WHEN 'accident' THEN $2 ELSE $1 END * interval '1 day'",
        KEEP_DAYS,
        KEEP_ACCIDENT_DAYS,
    )\n`,
  ),
};
